"""Finds the frames of videos in a separate process: FFmpeg may crash the process that reads a damaged file."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO

import numpy as np

from jaxdali._base.patience import Patience
from jaxdali.errors import BackendUnavailable, SourceDataError
from .video_file import find_frames
from .video_frames import Frames

__all__ = ["find_all_frames", "how_it_ended", "main", "started"]

# Threads that scan files: FFmpeg does not hold the GIL.
_AT_ONCE = 8
# Ample: a killed process ends at once.
_END_S = 10
# Isolated (-I) from environment variables and the working directory; it still imports what its parent would.
_PROGRAM = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from {} import main; main()"


def find_all_frames(paths: Sequence[str]) -> list[Frames | SourceDataError]:
    """Returns the frames of each file, or why it is not a video. Reads several files at a time, each once. A file that may
    have crashed the process is read once more, alone.

    Raises:
        OSError: a file cannot be read.
        BackendUnavailable: the library that reads videos, or such URLs, is not installed.
    """
    left = list(dict.fromkeys(paths))
    found: dict[str, Frames | SourceDataError] = {}
    suspects: list[str] = []
    while left or suspects:
        alone = bool(suspects)
        mine = [suspects.pop()] if alone else left
        begun, code = _scan(mine, found)
        ended = [path for path in begun if path not in found]
        if alone and mine[0] not in found:
            found[mine[0]] = SourceDataError(
                f"{mine[0]} cannot be looked through: FFmpeg ended its process, {how_it_ended(code)}"
            )
        elif not alone:
            if not ended and any(path not in found for path in left):
                raise OSError(f"the process that looks through videos ended before the first one, {how_it_ended(code)}")
            suspects, left = ended, [path for path in left if path not in found and path not in ended]
    return [found[path] for path in paths]


def _scan(paths: Sequence[str], found: dict[str, Frames | SourceDataError]) -> tuple[list[str], int]:
    """Scans `paths`, and adds what it finds to `found`. Returns which files were begun, and the process's exit code. Raises
    as `find_all_frames`.
    """
    if not sys.executable:  # an embedded Python cannot start another one
        found.update({path: _frames_or_error(path) for path in paths})
        return list(paths), 0
    begun: list[str] = []
    patience = Patience(
        lambda: f"the process that looks through videos, which is at {', '.join(set(begun) - found.keys()) or paths[0]}"
    )
    with started(__name__) as (child, requests, answers), patience.beside():
        with contextlib.suppress(BrokenPipeError):  # if it has ended, the loop below notices
            with requests:
                requests.write(json.dumps(list(paths)).encode())
        while (line := answers.readline()).endswith(b"\n"):  # it may end within a line
            said = json.loads(line)
            path = paths[int(said["file"])]
            if said["kind"] == "begun":
                begun.append(path)
            elif said["kind"] == "frames":
                numbers = answers.read(8 * sum(said["lengths"]))
                if len(numbers) < 8 * sum(said["lengths"]):
                    break
                parts = np.split(np.frombuffer(numbers, np.int64), np.cumsum(said["lengths"])[:-1])
                found[path] = Frames(parts[0], said["count"], said["unit_s"], said["rate"], *parts[1:])
            elif said["kind"] == "wrong":
                found[path] = SourceDataError(said["text"])
            else:
                raise BackendUnavailable(said["text"]) if said["kind"] == "missing" else OSError(*said["arguments"])
        return begun, child.wait()


@contextlib.contextmanager
def started(module: str) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes]]]:
    """Starts a process that runs `main` of a module; yields it, and the pipes to and from it, whose descriptors are the last
    two of its arguments. The process ends with the block.
    """
    with contextlib.ExitStack() as open_files:
        its_requests, requests = (open_files.enter_context(os.fdopen(fd, mode)) for fd, mode in _pipe())
        answers, its_answers = (open_files.enter_context(os.fdopen(fd, mode)) for fd, mode in _pipe())
        numbers = its_requests.fileno(), its_answers.fileno()
        child = subprocess.Popen(
            [
                sys.executable,
                "-I",
                "-c",
                _PROGRAM.format(module),
                json.dumps([*map(str, sys.path)]),
                *map(str, numbers),
            ],
            pass_fds=numbers,
        )
        try:
            its_requests.close()
            its_answers.close()
            yield child, requests, answers
        finally:
            child.kill()
            # An interrupt within a `wait` may leave its lock taken; a second `wait` without a timeout would hang.
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(_END_S)


def _pipe() -> Iterator[tuple[int, str]]:
    reading, writing = os.pipe()
    return iter(((reading, "rb"), (writing, "wb")))


def how_it_ended(code: int) -> str:
    """Returns how a process ended, in words."""
    if code >= 0:
        return f"with the exit code {code}"
    return f"by signal {-code} ({signal.Signals(-code).name})"


# IN THE SEPARATE PROCESS ----------------------------------------------------------------------------------------------


def main() -> None:
    """Reads paths, and writes results as they come: a line of JSON each, and the numbers of frames."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets the interrupt, too, and ends this process
    with open(int(sys.argv[2]), "rb") as requests:
        paths = json.loads(requests.read())
    lock = threading.Lock()
    with open(int(sys.argv[3]), "wb") as answers:

        def tell(file: int, said: dict[str, object], numbers: bytes = b"") -> None:
            with lock:
                answers.write(json.dumps({"file": file, **said}).encode() + b"\n" + numbers)
                answers.flush()

        def look(file: int) -> None:
            tell(file, {"kind": "begun"})
            try:
                found = _frames_or_error(paths[file])
            except BackendUnavailable as error:
                tell(file, {"kind": "missing", "text": str(error)})
            except OSError as error:
                arguments = [str(error)] if error.errno is None else [error.errno, error.strerror, error.filename]
                tell(file, {"kind": "unreadable", "arguments": arguments})
            else:
                if isinstance(found, SourceDataError):
                    tell(file, {"kind": "wrong", "text": str(found)})
                else:
                    parts = (found.stamps, found.keys, found.places)
                    said = {"count": found.count, "unit_s": found.unit_s, "rate": found.rate}
                    tell(
                        file, {"kind": "frames", "lengths": [*map(len, parts)], **said}, np.concatenate(parts).tobytes()
                    )

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(look, range(len(paths))))


def _frames_or_error(path: str) -> Frames | SourceDataError:
    try:
        return find_frames(path)
    except SourceDataError as error:
        return error
