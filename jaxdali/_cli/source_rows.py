"""Samples as `view` and `bench` read them where no reader does: a pipeline calls their source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jaxdali._feed.source.file_format import FileFormat
from .image_inputs import Content, size_of_files

__all__ = ["rows"]

# Rows that are searched for a value of a column whose first ones are null.
_LOOKED_AT = 64


def rows(source: Callable[..., Any], form: FileFormat, paths: Sequence[str]) -> Content:
    """All columns of files, of which the first one that is an image in the first sample that has one is decoded.

    Args:
        source: a class of `jaxdali.source`.
        form: what its files are.
        paths: the files.
    """
    from jaxdali import fn
    from jaxdali._base.formats.format_names import recognise
    from jaxdali._dali.pipeline.pipeline import Pipeline

    data = source(paths)
    first = _first_values(data)
    image = next((name for name, value in first.items() if isinstance(value, bytes) and recognise(value)), None)
    names = [name for name in first if name != image]
    names = names if image is None else [image, *names]

    def nodes(_name: str) -> list[Any]:
        workers = Pipeline.current().py_num_workers
        return fn.external_source(source=_Rows(data, names), num_outputs=len(names), batch=False, parallel=workers > 0)

    return Content(
        **{"kind": form.name, "unit": form.unit if image is None else "images", "paths": paths, "nodes": nodes},
        encoded=image is not None,
        data=lambda: source(paths, columns=[image]) if form.columns and image is not None else data,
        shown=lambda row: _leaves(row).get(names[0]),
        bytes_of=lambda: size_of_files(paths),
        count=len(data),
        why=None if image is not None else _no_image(paths[0], form.unit, list(first)),
    )


class _Rows:
    """Rows one after the other, over and over; of each what is in some of its columns."""

    def __init__(self, data: Any, names: Sequence[str]):
        self.data, self.names = data, list(names)

    def __call__(self, info: Any) -> tuple[Any, ...]:
        row = _leaves(self.data[self._index(info.idx_in_epoch)])
        return tuple(_array(row.get(name)) for name in self.names)

    def source_info(self, position: int) -> str:
        """What errors call the row at a position."""
        return self.data.source_info(self._index(position))

    def _index(self, position: int) -> int:
        return position % len(self.data)


def _array(value: Any) -> Any:
    """Returns a value as a pipeline takes it: text as its bytes in UTF-8, and none at all of what a row lacks."""
    import numpy as np

    if isinstance(value, str | bytes) or value is None:
        encoded = value.encode() if isinstance(value, str) else value or b""
        return np.frombuffer(encoded, np.uint8)
    return np.asarray(value)


def _first_values(data: Any) -> dict[str, Any]:
    """The values of the first row, and of what is null there, those of the next rows."""
    found: dict[str, Any] = {}
    for index in range(min(len(data), _LOOKED_AT)):
        for name, value in _leaves(data[index]).items():
            # A struct that is null has no fields, which are found in other rows.
            if value is not None:
                found = {known: one for known, one in found.items() if not name.startswith(f"{known}.")}
            if value is not None or not any(known.startswith(f"{name}.") for known in found):
                found[name] = value if found.get(name) is None else found[name]
        if all(value is not None for value in found.values()):
            break
    return found


def _leaves(row: Any, above: str = "") -> dict[str, Any]:
    """The values of a row by names such as "image.bytes"; a sample that is a single value is called so. A struct that is
    null is one value, None.
    """
    if not isinstance(row, Mapping):
        return {above.rstrip(".") or "sample": row}
    return {name: leaf for key, value in row.items() for name, leaf in _leaves(value, f"{above}{key}.").items()}


def _no_image(path: str, unit: str, names: Sequence[str]) -> str:
    return (
        f"{path}: no column of its first {unit.removesuffix('s')} is an image; there are "
        f"{', '.join(map(repr, names[:10]))}. `jaxdali bench` measures how fast they are read"
    )
