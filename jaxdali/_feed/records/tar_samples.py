"""Finds samples in tar archives, as WebDataset does: runs of files whose names differ only after their first dot."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from jaxdali.errors import ConfigError
from .. import _host
from .safe_open import Watch
from .tar import tar_members, tar_pieces

__all__ = ["Component", "archive_text", "key_of", "samples_in_index", "samples_in_tar", "samples_text"]

_VERSIONS = {"v1.1": 3, "v1.2": 4}
_WORDS = {3: "EXTENSION OFFSET SIZE", 4: "EXTENSION OFFSET SIZE NAME"}
_BLOCK = 512
# The blanks at which str.split splits.
_BLANK = re.compile(r"\s")


class Component(NamedTuple):
    """A file of a sample.

    Attributes:
        ext: what follows the first dot of its name; empty if there is no dot.
        offset: the offset of its first byte in the archive.
        size: in bytes.
        name: with its folders; empty if an index does not tell it.
    """

    ext: str
    offset: int
    size: int
    name: str = ""


def key_of(name: str) -> str:
    """Returns what the names of a sample's files have in common: everything before the first dot of the last part."""
    dot = name.find(".", name.rfind("/") + 1)
    return name if dot < 0 else name[:dot]


def samples_in_tar(path: str, watch: Watch | None = None) -> Iterator[list[Component]]:
    """Yields the samples of an archive, in its order. Ignores files whose names begin with a dot.

    Raises:
        ConfigError: the file is not an archive, or is cut off. Names the byte.
        OSError: the file cannot be read.
    """
    sample: list[Component] = []
    current = None
    for name, offset, size in tar_members(path, watch):
        if name.startswith(".", name.rfind("/") + 1):
            continue
        key = key_of(name)
        ext = name[len(key) + 1 :]
        if key != current and sample:
            yield sample
            sample = []
        current = key
        sample.append(Component(ext, offset, size, name))
    if sample:
        yield sample


def samples_in_index(text: bytes, path: str) -> Iterator[list[Component]]:
    """Yields the samples in an index of DALI's `wds2idx` or of `jaxdali index`. After a line "v1.2 SAMPLES" it has a line
    per sample, with "EXTENSION OFFSET SIZE NAME" for each file; "v1.1" has no names.

    Args:
        text: what is in it.
        path: its path, for errors.

    Raises:
        ConfigError: a line is something else. Says which.
    """
    lines = os.fsdecode(text).split("\n")
    head = lines[0].split()
    if len(head) != 2 or head[0] not in _VERSIONS or not _is_number(head[1]):
        raise ConfigError(
            f"{path}:1 is {lines[0][:60]!r}, expected v1.2 (or v1.1) and the number of samples. `jaxdali index` writes this"
        )
    width, count = _VERSIONS[head[0]], int(head[1])
    if not count or count >= len(lines):
        raise ConfigError(
            f"{path} says that it has {count} samples, but has {len(lines) - 1} lines; expected at least one sample, and a "
            "line for each. `jaxdali index` remakes it"
        )
    for number in range(1, count + 1):
        words = lines[number].split()
        sample = [
            Component(ext, int(offset), int(size), *name)
            for ext, offset, size, *name in _groups(words, width)
            if _is_number(offset) and _is_number(size)
        ]
        if not sample or len(sample) * width != len(words):
            raise ConfigError(
                f"{path}:{number + 1} is {lines[number][:60]!r}, expected {_WORDS[width]} of each file of a "
                "sample, without blanks in them. `jaxdali index` writes such a file"
            )
        for component in sample:
            if component.offset % _BLOCK:
                raise ConfigError(
                    f"{path}:{number + 1}: a file at byte {component.offset}, expected a multiple of {_BLOCK}, where tar "
                    "archives have them"
                )
        yield sample


def samples_text(samples: Iterable[Sequence[Component]], path: str) -> tuple[str, int]:
    """Returns the text of an index of these samples, which DALI reads, too, and how many samples it has. It has names,
    unless one contains blanks. Leaves out files without an extension, which no reader can ask for.

    Args:
        path: the archive's path, for errors.

    Raises:
        ConfigError: an extension has blanks in it.
    """
    kept = [[one for one in sample if one.ext] for sample in samples]
    kept = [sample for sample in kept if sample]
    named = not _BLANK.search("\0".join([one.name for sample in kept for one in sample]))
    for one in (one for sample in kept for one in sample if not named):
        if _BLANK.search(one.ext):
            raise ConfigError(f"{path}: the extension of {one.name!r} has blanks in it, which no index can hold")
    form = "{0} {1} {2} {3}" if named else "{0} {1} {2}"
    lines = [f"v1.{2 if named else 1} {len(kept)}"]
    lines += [" ".join([form.format(*one) for one in sample]) for sample in kept]
    return "\n".join(lines) + "\n", len(kept)


def archive_text(path: str, watch: Watch | None = None) -> tuple[bytes, int]:
    """Returns the text of an archive's index, and how many samples it has. Raises as `samples_in_tar` and `samples_text`."""
    pieces = list(tar_pieces(path, watch))
    names, ranges = (b"".join([piece[part] for piece in pieces]) for part in range(2))
    if not _BLANK.search(os.fsdecode(names)):
        text, count = _host.sample_lines(names, ranges)
        return b"v1.2 %d\n" % count + text, count
    lines, count = samples_text(samples_in_tar(path), path)
    return lines.encode(errors="surrogateescape"), count


def _groups(words: list[str], width: int) -> Iterator[list[str]]:
    for begin in range(0, len(words) - width + 1, width):
        yield words[begin : begin + width]


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 19
