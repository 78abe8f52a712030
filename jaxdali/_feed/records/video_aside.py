"""Decodes a clip in a process of its own: FFmpeg may crash the process that reads a damaged file."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Sequence

import numpy as np

from jaxdali._base.interruptions import is_interruption
from jaxdali._base.patience import Patience
from jaxdali.errors import BackendUnavailable, SourceDataError
from .video_file import Video
from .video_scan import how_it_ended, started

__all__ = ["main", "read_aside"]


def read_aside(file: str | bytes, numbers: Sequence[int], upright: bool, fill: Sequence[int]) -> np.ndarray:
    """Returns frames in red, green and blue, `uint8[len(numbers), height, width, 3]`.

    Args:
        file: its path or URL, or its contents.
        numbers: the frames' numbers; those below 0 stand for frames of `fill`, the level of each channel.
        upright: whether frames are turned as the file says that they are shown.

    Raises:
        SourceDataError: a frame cannot be decoded, or FFmpeg crashed.
        OSError: the file cannot be read.
        BackendUnavailable: the library that reads videos is not installed.
    """
    if not sys.executable:  # an embedded Python cannot start another one
        return _read(file, numbers, upright, fill)
    name = file if isinstance(file, str) else f"a file of {len(file)} bytes"
    head, content = (file, b"") if isinstance(file, str) else (None, file)
    patience = Patience(lambda: f"the process that decodes a clip of {name}")
    with started(__name__) as (child, requests, answers), patience.beside():
        with requests:
            requests.write(json.dumps([head, [*numbers], upright, [*fill]]).encode() + b"\n" + content)
        said, frames = answers.readline(), answers.read()
        code = child.wait()
    if code or not said.endswith(b"\n"):
        raise SourceDataError(f"{name} cannot be decoded: FFmpeg ended its process, {how_it_ended(code)}")
    found = json.loads(said)
    if "wrong" in found:
        raise SourceDataError(found["wrong"])
    if "missing" in found:
        raise BackendUnavailable(found["missing"])
    if "unreadable" in found:
        raise OSError(*found["unreadable"])
    return np.frombuffer(frames, np.uint8).reshape(found["shape"])


def _read(file: str | bytes, numbers: Sequence[int], upright: bool, fill: Sequence[int]) -> np.ndarray:
    there = [number for number in numbers if number >= 0]
    with Video(file, upright=upright) as video:
        found = video.read(there)
    frames = np.empty((len(numbers), *found.shape[1:]), np.uint8)
    frames[:] = np.asarray(fill, np.uint8)
    frames[[number >= 0 for number in numbers]] = found
    return frames


# IN THE OTHER PROCESS -------------------------------------------------------------------------------------------------


def main() -> None:
    """Reads which frames are wanted, and writes them behind a line of JSON; only that, if they cannot be decoded."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets the interrupt, too, and ends this process
    with open(int(sys.argv[2]), "rb") as requests:
        head, _, content = requests.read().partition(b"\n")
    file, *how = json.loads(head)
    frames, said = b"", {}
    try:
        found = _read(content if file is None else file, *how)
        frames, said = found.tobytes(), {"shape": found.shape}
    except SourceDataError as error:
        said = {"wrong": str(error)}
    except BackendUnavailable as error:
        said = {"missing": str(error)}
    except OSError as error:
        if is_interruption(error):
            raise
        said = {"unreadable": [str(error)] if error.errno is None else [error.errno, error.strerror, error.filename]}
    with open(int(sys.argv[3]), "wb") as answers:
        answers.write(json.dumps(said).encode() + b"\n" + frames)
