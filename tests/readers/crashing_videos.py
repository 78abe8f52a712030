"""Videos that crash the process that scans them. Runs in a program of its own."""

from __future__ import annotations

import logging
import pathlib
import sys
from typing import Any

# Replaces PyAV, in a folder that is first on `sys.path`: it notes each file that it opens, and crashes if it begins
# with MARK.
MARK = b"CRASH"
_MODULE = f"""
import ctypes, os, time
class FFmpegError(Exception):
    pass
def open(file, options):
    head = file.read(8)
    note = os.open(os.path.join(os.path.dirname(__file__), "opened"), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(note, head + b"\\n")
    if head.startswith({MARK!r}):
        time.sleep(0.1)  # others are read meanwhile
        ctypes.string_at(0)
    raise ValueError("nothing of it")
"""
CRASHING = (2, 3, 11)


def run(folder: str) -> dict[str, Any]:
    """Returns the errors for each of 14 files, and those of a reader of one file and of a folder."""
    logging.getLogger("jaxdali").setLevel(logging.CRITICAL)
    root = pathlib.Path(folder)
    (root / "av.py").write_text(_MODULE)
    sys.path.insert(0, folder)
    from jaxdali import ConfigError, fn
    from jaxdali._feed.records.video_scan import find_all_frames

    paths = [root / "all" / "class" / f"{number:02d}" for number in range(14)]
    paths[0].parent.mkdir(parents=True)
    for number, path in enumerate(paths):
        path.write_bytes((MARK if number in CRASHING else b"other") + b" %02d" % number)
    found = {"each": [str(one) for one in find_all_frames([*map(str, paths)])]}
    found["opened"] = (root / "opened").read_text().split("\n")[:-1]
    for name, given in (("named", {"filenames": [paths[2]]}), ("folder", {"file_root": root / "all"})):
        try:
            fn.readers.video(sequence_length=2, **given)
        except ConfigError as error:
            found[name] = str(error)
    return found
