"""Sources and picklers on their way to fresh workers; each scenario runs in a program of its own."""

from __future__ import annotations

import pickle
import sys
import types

import numpy as np
import process_programs
from process_programs import index, run

import jaxdali as dali
from jaxdali import errors, fn

# The argument of the last `Recorder.loads` in this process.
loaded_with = "nothing"


class Recorder:
    """A user's pickler."""

    def __init__(self):
        self.dumped_with = []

    def __getstate__(self):
        return {}

    def dumps(self, value, **arguments):
        self.dumped_with.append(arguments)
        return pickle.dumps(value)

    def loads(self, data, word):
        global loaded_with
        loaded_with = word
        return pickle.loads(data)


def word(info):
    return np.frombuffer(loaded_with.encode(), np.uint8)


def state(start_method: str) -> dict:
    """Returns how often, and with which arguments, a user's pickler is called for three workers."""
    pickler = Recorder()
    pipe = dali.Pipeline(
        batch_size=6,
        py_num_workers=3,
        py_start_method=start_method,
        py_callback_pickler=(pickler, {"level": 3}, {"word": "more"}),
    )
    with pipe:
        pipe.set_outputs(fn.external_source(word, parallel=True, batch=False))
    with pipe:
        seen = {bytes(row).decode() for _ in range(4) for row in pipe.run()[0].as_array()}
    return {
        "dumps": len(pickler.dumped_with),
        "dumped with": pickler.dumped_with,
        "loaded with": sorted(seen),
    }


def only_in_the_parent(start_method: str, what: str) -> str:
    """Returns the error for a source whose module, or whose name in it, workers cannot find."""
    module = types.ModuleType("parent_only") if what == "module" else process_programs
    sys.modules[module.__name__] = module
    source = types.FunctionType(index.__code__, index.__globals__, "parent_only")
    source.__module__, source.__qualname__ = module.__name__, "parent_only"
    module.parent_only = source
    with process_programs.make_pipe(source, start_method) as pipe:
        try:
            run(pipe)
        except errors.SourceError as error:
            return str(error)
    raise AssertionError("it travelled")
