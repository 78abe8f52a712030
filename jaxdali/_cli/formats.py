"""Recognises the format of a file among those that the classes of `jaxdali.source` read."""

from __future__ import annotations

from collections.abc import Collection

from jaxdali._feed.source.file_format import FileFormat

__all__ = ["by_first_bytes", "by_name", "first_bytes", "formats"]

# How many of a file's first bytes are read if its name does not tell its format.
_HEAD = 512


def formats() -> dict[FileFormat, type]:
    """Returns each format with the first class of `jaxdali.source` that reads it."""
    from jaxdali import source

    found: dict[FileFormat, type] = {}
    for one in (getattr(source, name) for name in source.__all__):
        if (form := FileFormat.of(one)) is not None:
            found.setdefault(form, one)
    return found


def by_name(path: str, among: Collection[FileFormat]) -> FileFormat | None:
    """Returns the format whose ending is the last one in a path or URL."""
    name = path.partition("?")[0] if "://" in path else path
    place, form = max(((one.place_in(name), one) for one in among), key=lambda found: found[0])
    return form if place >= 0 else None


def first_bytes(path: str) -> bytes:
    """Reads as many bytes of a file as tell its format."""
    from jaxdali._feed.records.safe_open import open_checked

    with open_checked(path) as file:
        return file.read(min(_HEAD, file.size), 0)


def by_first_bytes(head: bytes, among: Collection[FileFormat]) -> FileFormat | None:
    """Returns the format that tells itself by most of these bytes: a tar archive begins with any name."""
    known = sorted(among, key=lambda one: -one.head)
    return next((one for one in known if one.begins is not None and one.begins(head)), None)
