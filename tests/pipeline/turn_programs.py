"""Forks of a process that has pipelines, and processes that end while their threads take batches."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import warnings

import numpy as np

from jaxdali import Loader, Pipeline, StateError, fn
from jaxdali.plugin.jax import DALIGenericIterator


def sample(info):
    return np.array([info.idx_in_epoch], np.int32)


def make(start_method: str | None) -> Pipeline:
    """A pipeline of `sample` in batches of 4; with None it has no workers."""
    pipe = Pipeline(
        batch_size=4,
        py_num_workers=2 if start_method else 0,
        py_start_method=start_method or "fork",
        enable_checkpointing=True,
    )
    with pipe:
        pipe.set_outputs(fn.external_source(sample, parallel=start_method is not None, batch=False))
    return pipe


def first_of(outputs) -> int:
    return int(outputs[0].at(0)[0])


USES = {
    "close": lambda pipe: pipe.close(),
    "leave the block": lambda pipe: pipe.__exit__(None, None, None),
    "leave": lambda pipe: sys.exit(0),
    "run": lambda pipe: pipe.run(),
    "reset": lambda pipe: pipe.reset(),
    "checkpoint": lambda pipe: pipe.checkpoint(),
    "schedule": lambda pipe: pipe.schedule_run(),
}


def forked(start_method: str | None) -> dict[str, dict]:
    """For each use: what a forked child hears that uses its copy of the pipeline so, and the parent's next batches."""
    pipe = make(start_method)
    pipe.enable_api_check(False)
    pipe.__enter__()
    found = {use: _used_in_a_child(pipe, use) for use in USES}
    pipe.close()
    return found


def _used_in_a_child(pipe: Pipeline, use: str) -> dict:
    seen = [first_of(pipe.run()) for _ in range(3)]
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # it must not wait for anything
        warnings.simplefilter("ignore", ResourceWarning)  # about copies of sockets, if it exits as other programs do
        try:
            USES[use](pipe)
        except StateError as error:
            os.write(writing, str(error).encode())
        finally:
            if use != "leave":
                os._exit(0)
        raise AssertionError("not here")
    os.close(writing)
    _, status = os.waitpid(child, 0)
    seen += [first_of(pipe.run()) for _ in range(5)]
    with open(reading) as told:
        words = told.read()
    return {"seen": seen, "status": status, "words": words, "pids": [os.getpid(), child]}


def fork_before_build() -> list[int]:
    """Returns the batches in a child whose parent defined the pipeline without building it."""
    pipe = make(None)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, bytes(first_of(pipe.run()) for _ in range(3)))
        pipe.close()
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with open(reading, "rb") as told:
        return list(told.read())


FRONTS = {
    "sequential": lambda: make(None).run,
    "fork": lambda: make("fork").run,
    "forkserver": lambda: make("forkserver").run,
    "iterator": lambda: DALIGenericIterator([make(None)], ["x"]).__next__,
    "Loader": lambda: iter(Loader([np.float32(i) for i in range(64)], batch_size=8, workers=2)).__next__,
    "Loader without workers": lambda: (
        iter(Loader([np.float32(i) for i in range(64)], batch_size=8, workers=0)).__next__
    ),
}


def end_while_a_thread_takes(front: str) -> str:
    """Returns, and so ends the program, while a daemon thread takes one batch after the other."""
    take = FRONTS[front]()
    began = threading.Event()

    def take_all() -> None:
        while True:
            take()
            began.set()

    threading.Thread(target=take_all, daemon=True).start()
    assert began.wait(60)
    return "main ends"


def run_at_exit() -> str:
    """Returns; at exit, a handler of the user's takes a batch and prints its first sample. The handler is registered
    before the pipeline starts, so it runs after jaxdali's own handlers.
    """
    atexit.register(lambda: print(first_of(pipe.run())))
    pipe = make(None)
    first_of(pipe.run())
    return "main ends"
