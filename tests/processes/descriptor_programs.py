"""Processes with unusual file descriptors; each scenario runs in a program of its own."""

from __future__ import annotations

import fcntl
import os
import pathlib
import tempfile
import time

import numpy as np
from processes import descendants

import jaxdali as dali
from jaxdali import errors, fn

MIB = 1 << 20


def _make(source, method: str | None, **options) -> dali.Pipeline:
    if method is not None:
        options |= {"py_num_workers": 2, "py_start_method": method}
    pipe = dali.Pipeline(batch_size=4, **options)
    with pipe:
        pipe.set_outputs(
            fn.external_source(source, batch=False, parallel=method is not None, prefetch_queue_depth=1)
            if method is not None
            else fn.external_source(source, batch=False)
        )
    return pipe


def _standard(pid: int | str) -> list[str]:
    """Returns which of descriptors 0 to 2 of a process are ours: memory files, sockets and pidfds."""
    found = []
    for fd in range(3):
        try:
            target = os.readlink(f"/proc/{pid}/fd/{fd}")
        except FileNotFoundError:
            continue
        if target.startswith(("/memfd:jaxdali", "socket:", "anon_inode:")):
            found.append(f"{fd}: {target}")
    return found


def standard_closed(method: str | None, closed: list[int]) -> dict:
    """Runs a pipeline in a process started with some of 0 to 2 closed. Returns batches, and who uses the numbers."""
    saved = {fd: fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 100) for fd in closed}
    for fd in closed:
        os.close(fd)
    try:
        with _make(lambda info: np.full(64, info.idx_in_epoch, np.uint8), method) as pipe:
            rows = [pipe.run()[0].as_array()[:, 0].tolist() for _ in range(3)]
            ours = [entry for pid in ("self", *descendants()) for entry in _standard(pid)]
    finally:
        for fd, copy in saved.items():
            os.dup2(copy, fd)
    return {"rows": rows, "ours": ours}


def _take_all(folder: str) -> list:
    """Closes every descriptor, and opens files, which get the same numbers."""
    os.closerange(3, 64)
    return [open(f"{folder}/{number}", "w+b") for number in range(24)]


def descriptors_taken(method: str | None) -> dict:
    """A source closes all descriptors, and opens files, before its slot has to grow."""
    with tempfile.TemporaryDirectory() as folder:
        kept: list = []
        taken = pathlib.Path(folder, "taken")

        def source(info):
            if info.idx_in_epoch == 9:
                # A worker may die before another one has finished the previous batch, which would then be lost.
                while method is not None and not taken.exists():
                    time.sleep(0.01)
                kept.extend(_take_all(folder))
            return np.full(3 * MIB if info.idx_in_epoch >= 9 else 10, info.idx_in_epoch, np.uint8)

        options = {} if method is None else {"worker_restarts": 0}
        rows, name, text = [], "", ""
        with _make(source, method, **options) as pipe:
            try:
                for _ in range(4):
                    (output,) = pipe.run()
                    rows.append([int(output.at(row)[0]) for row in range(4)])
                    if len(rows) == 2:
                        taken.touch()
            except errors.JaxDaliError as error:
                name, text = type(error).__name__, str(error)
        sizes = [path.stat().st_size for path in pathlib.Path(folder).iterdir()]
    return {"rows": rows, "name": name, "text": text, "bytes": sum(sizes)}
