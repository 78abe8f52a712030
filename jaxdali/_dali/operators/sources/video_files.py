"""Decides which videos a reader reads, and which part of each: from a folder, a list, or the arguments."""

from __future__ import annotations

import functools
import math
import os
import re
from collections.abc import Callable
from typing import Any

from jaxdali._feed.records.index_files import read_text
from jaxdali._feed.records.video_frames import Frames
from jaxdali._feed.source.video import PADS, FileOfClips
from jaxdali._feed.storage.urls import absolute
from jaxdali.errors import ConfigError
from ...graph.call import Params
from ...readers.listing import LabelledFiles
from ..argument_kinds import FLAG, PATH, Kind, choice, several
from ..declaration import Param, Static

__all__ = ["FILES", "FRAME_NUMBERS", "ORIENTED", "PAD_MODE", "Bounds", "has_labels", "pad_of", "video_files"]

# From the numbers in a line of the list (where a part begins and ends, None if left out) and the file's frames, returns
# the first frame and the end, exclusive.
Bounds = Callable[[float | None, float | None, Frames], tuple[int, int]]

_LINE = re.compile(r"^(?P<path>.*?\S)\s+(?P<label>\d{1,9})(?:\s+(?P<start>[-+.\deE]+)(?:\s+(?P<end>[-+.\deE]+))?)?\s*$")


def _whole(word: str, value: Any) -> tuple[int, ...]:
    try:
        found = tuple(map(int, value))
        holds = not any(isinstance(one, bool | str) or int(one) != one or abs(one) >= 1 << 31 for one in value)
    except (TypeError, ValueError, OverflowError):
        found, holds = (), False
    if not holds or isinstance(value, str | bytes | set | dict):
        raise ConfigError(f"{word} must be integers that int32 holds, one for each file; got {value!r:.80}")
    return found


def _frame_numbers(word: str, value: object) -> str:
    found = {False: "none", True: "scalar"}.get(value, value) if isinstance(value, bool) else value
    if found not in ("none", "scalar", "sequence"):
        raise ConfigError(f'{word} must be "none", "scalar", "sequence", False or True; got {value!r:.80}')
    return found


FRAME_NUMBERS = Kind('bool | Literal["none", "scalar", "sequence"]', _frame_numbers, ("scalar", "sequence"))
_PAD_NAMES = {"repeat": "edge", "symmetric": "reflect_1001", "reflect": "reflect_101"}
PAD_MODE = Kind("str", choice("none", "constant", *PADS[2:], *_PAD_NAMES).read, ("edge", "reflect"))

ORIENTED = Static(
    "adjust_orientation",
    FLAG,
    True,
    "turn frames as the file says that they are shown, which is how phones store upright videos; False: leave them as they "
    "are stored, as DALI does, which has no such argument for videos",
)


def pad_of(pad_mode: str) -> str:
    """Returns the entry of `PADS` for any of its names."""
    return _PAD_NAMES.get(pad_mode, pad_mode)


FILES: tuple[Param, ...] = (
    Static("filenames", several(PATH), None, "paths"),
    Static(
        "labels",
        Kind("Sequence[int]", _whole),
        None,
        "one int32 for each of `filenames`; an empty list: the label of a file is its index. If it is not given, "
        "there are no labels",
    ),
    Static(
        "file_root",
        PATH,
        None,
        "a folder with one subfolder per class; the index of a subfolder, in sorted order, is the label. Files that "
        "are not videos are skipped with a warning",
    ),
)


def has_labels(given: Params) -> bool:
    """Whether videos have labels."""
    return given["filenames"] is None or given["labels"] is not None


def video_files(given: Params, bounds: Bounds) -> list[FileOfClips]:
    """Returns the files that `filenames`, `labels`, `file_root` and `file_list` describe.

    Args:
        bounds: interprets the numbers in a line of the list.

    Raises:
        ConfigError: the arguments do not go together, or name no file.
        OSError: a folder or the list cannot be read.
    """
    files, labels, root, listed = (given[name] for name in ("filenames", "labels", "file_root", "file_list"))
    if sum(one is not None for one in (files, root, listed)) != 1:
        raise ConfigError("exactly one of `filenames`, `file_root` and `file_list` must be given")
    if labels is not None and files is None:
        raise ConfigError("`labels` goes with `filenames`; folders and lists have labels of their own")
    if listed is not None:
        return _listed(listed, bounds)
    if root is not None:
        found = LabelledFiles.from_folder(absolute(root), ["*"], None, True)
        return [FileOfClips(found.path(k), int(found.labels[k]), optional=True) for k in range(len(found))]
    if not files:
        raise ConfigError("`filenames` specified an empty list.")
    if labels and len(labels) != len(files):
        raise ConfigError(f"Provided {len(labels)} labels for {len(files)} files.")
    return [FileOfClips(absolute(file), label) for file, label in zip(files, labels or range(len(files)), strict=True)]


def _listed(path: str, bounds: Bounds) -> list[FileOfClips]:
    found = []
    for number, line in enumerate(os.fsdecode(read_text(path)).splitlines(), 1):
        if not line.strip():
            continue
        said = _LINE.match(line)
        start = end = None
        try:
            start, end = (
                None if said is None or said[name] is None else float(said[name]) for name in ("start", "end")
            )
        except ValueError:
            said = None
        if any(one is not None and not math.isfinite(one) for one in (start, end)):  # "1e999"
            said = None
        if said is None:
            raise ConfigError(f'{path}:{number}: expected "path label [start [end]]", got {line.rstrip()!r:.200}')
        found.append(
            FileOfClips(absolute(said["path"].lstrip()), int(said["label"]), functools.partial(bounds, start, end))
        )
    if not found:
        raise ConfigError(f"{path} contains no line that names a file")
    return found
