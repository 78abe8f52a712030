"""Sources that hold open files or locks when workers are forked; each scenario runs in a program of its own."""

from __future__ import annotations

import os
import pathlib
import threading
import warnings

from process_programs import index, make_pipe, run


class _Source:
    def __init__(self, **attributes):
        vars(self).update(attributes)

    def __call__(self, info):
        return index(info)


def forked(what: str, folder: str) -> dict:
    """Returns the warnings of a pipeline that is started, run, and gets a new epoch."""
    path = pathlib.Path(folder, "data")
    path.write_bytes(bytes(100))
    lock = threading.Lock()
    lock.acquire()
    with path.open("rb", buffering=0) as file, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        source = _Source(lock=lock) if what == "lock" else _Source(f=file)
        with make_pipe(source, "fork", workers=1 if what == "one_worker" else 2) as pipe:
            for _ in range(3):
                run(pipe)
            pipe.reset()
            run(pipe)
    return {"warnings": [[str(one.message), one.category.__name__, os.path.basename(one.filename)] for one in caught]}
