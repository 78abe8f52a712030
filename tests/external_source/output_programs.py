"""How many outputs a source has, and what is declared about them."""

from __future__ import annotations

from typing import Any

import numpy as np
from es_tools import described, make, samples, warned

import jaxdali as dali
from jaxdali import fn, types

PAIR = (np.full((2, 3), 5, np.uint8), np.full(2, 7, np.int16))
U8, I16, F32 = types.UINT8, types.INT16, types.FLOAT

# num_outputs and what is returned -> the number of outputs, or a part of the error's text.
# For samples:
COUNTS: list[tuple[int | None, Any, Any]] = [
    (None, PAIR[0], 1),
    (1, PAIR[:1], 1),
    (1, PAIR, 1),
    (1, list(PAIR), 1),
    (2, PAIR, 2),
    (2, list(PAIR), 2),
    (2, (*PAIR, "surplus"), 2),
    (None, PAIR, "Unsupported callback return type: tuple"),
    (1, (), "tuple index out of range"),
    (2, PAIR[:1], "tuple index out of range"),
    (2, [PAIR[0]], "index out of range"),
    (2, 3, "returned int; with num_outputs=2 a sample is a tuple, list or array"),
    (1, None, "returned NoneType; with num_outputs=1 a sample is a tuple, list or array"),
]
# For batches of two:
BATCH_COUNTS: list[tuple[int | None, Any, Any]] = [
    (None, np.stack([PAIR[0]] * 2), 1),
    (1, ([PAIR[0]] * 2,), 1),
    (2, (np.stack([PAIR[0]] * 2), np.stack([PAIR[1]] * 2)), 2),
    (2, [np.stack([PAIR[0]] * 2), [PAIR[1]] * 2], 2),
    (2, ([PAIR[0]] * 2, [PAIR[1]] * 2, "surplus"), 2),
    (2, ([PAIR[0]] * 2,), "tuple index out of range"),
    (2, ([PAIR[0]] * 2, [PAIR[1]]), "the outputs of one batch differ in the number of samples: 2 and 1"),
    (2, ([PAIR[0]] * 2, []), "the outputs of one batch differ in the number of samples: 2 and 0"),
    (2, ([PAIR[0]] * 3, [PAIR[1]] * 3), "unexpected batch size. Expected batch_size <= 2, actual: 3"),
    (1, 3, "returned int; with num_outputs=1 a batch is a tuple, list or array"),
]

# What is declared -> layouts of the outputs, or (a part of the error's text, index of the output).
DECLARED: list[tuple[dict[str, Any], Any]] = [
    ({}, ["", ""]),
    ({"dtype": [U8, I16]}, ["", ""]),
    ({"dtype": [U8]}, ["", ""]),
    ({"dtype": []}, ["", ""]),
    ({"dtype": types.NO_TYPE}, ["", ""]),
    ({"dtype": [types.NO_TYPE, I16]}, ["", ""]),
    ({"ndim": [2, 1]}, ["", ""]),
    ({"ndim": [2]}, ["", ""]),
    ({"layout": ["HW", "X"]}, ["HW", "X"]),
    ({"layout": ["HW"]}, ["HW", ""]),
    ({"layout": ["", "X"]}, ["", "X"]),
    ({"layout": ["HW", "X"], "ndim": [2, 1], "dtype": [U8, I16]}, ["HW", "X"]),
    ({"dtype": F32}, ("expected data of type FLOAT and got: UINT8", 0)),
    ({"dtype": U8}, ("expected data of type UINT8 and got: INT16", 1)),
    ({"dtype": [U8, F32]}, ("expected data of type FLOAT and got: INT16", 1)),
    ({"ndim": 2}, ("expected data with 2 dimensions and got 1", 1)),
    ({"ndim": [3]}, ("expected data with 3 dimensions and got 2", 0)),
    ({"layout": "HWC"}, ("The layout 'HWC' cannot describe 2-dimensional data", 0)),
    ({"layout": ["HW", "HW"]}, ("The layout 'HW' cannot describe 1-dimensional data", 1)),
]


def _returns(value):
    return lambda where: value


def counts(start_method, batch: bool) -> list:
    """Returns the outputs for each row of COUNTS or BATCH_COUNTS, or a description of the error."""
    results = []
    for num_outputs, value, _ in BATCH_COUNTS if batch else COUNTS:
        pipe = dali.Pipeline(batch_size=2, prefetch_queue_depth=1, py_start_method=start_method)
        with pipe:
            nodes = fn.external_source(
                _returns(value), num_outputs=num_outputs, batch=batch, parallel=start_method is not None
            )
            assert isinstance(nodes, list) == (num_outputs is not None)
            pipe.set_outputs(nodes)
        seen: list = []
        with pipe:
            error = described(lambda pipe=pipe, seen=seen: seen.extend(samples(pipe)))
            results.append(error or seen)
    return results


def declared(start_method, batch: bool) -> list:
    """Returns the layouts of the outputs for each row of DECLARED, or a description of the error."""
    value = tuple([array] * 2 for array in PAIR) if batch else PAIR
    results: list = []
    for arguments, _ in DECLARED:
        pipe = dali.Pipeline(batch_size=2, prefetch_queue_depth=1, py_start_method=start_method)
        with pipe:
            nodes = fn.external_source(
                _returns(value), num_outputs=2, batch=batch, parallel=start_method is not None, **arguments
            )
            pipe.set_outputs(nodes)
        with pipe:
            error = described(pipe.run)
            results.append(error or [output.layout() for output in pipe.run()])
    return results


def clashes(start_methods) -> list:
    """Runs two sources whose batches differ in size, twice. From the next epoch on they agree."""
    results = []
    for ways in start_methods:

        def sized(size):
            return lambda info: [PAIR[0]] * (size if info.epoch_idx == 0 else 2)

        method = next((way for way in ways if way), None)
        own = [{"parallel": way is not None} for way in ways]
        pipe = dali.Pipeline(batch_size=4, py_start_method=method)
        with pipe:
            pipe.set_outputs(
                *(
                    fn.external_source(sized(size), batch=True, batch_info=True, name=name, **arguments)
                    for size, name, arguments in zip((4, 3), ("first", "second"), own, strict=True)
                )
            )
        with pipe:
            errors = [described(pipe.run) for _ in range(2)]
            pipe.reset()
            results.append([errors, [len(output) for output in pipe.run()]])
    return results


def warnings_of_outputs(start_method) -> list:
    """Returns the warnings where one of three outputs is used and where all are, and how often the source ran."""
    called = []

    def source(info):
        called.append(info)
        return (np.zeros(1),) * 3

    results: list = []
    for used in ((1,), (0, 1, 2)):
        pipe = dali.Pipeline(batch_size=2, prefetch_queue_depth=1, py_start_method=start_method)
        with pipe:
            nodes = fn.external_source(source, num_outputs=3, batch=False, parallel=start_method is not None)
            pipe.set_outputs(*(nodes[index] for index in used))
        results.append(warned(pipe.build))
        with pipe:
            assert len(pipe.run()) == len(used)
    return [results, len(called)]


def generator():
    while True:
        yield [np.zeros(1)]


def part(worker_id, num_workers):
    while True:
        yield [np.array([num_workers])]


def callback(iteration):
    return [np.zeros(1)]


def numbers_of_workers() -> list:
    """Returns (warnings, number of workers) for mixes of sources that ask for four workers."""
    results = []
    for sources in (
        [generator],
        [generator, generator],
        [generator] * 4,
        [generator] * 5,
        [generator, callback],
        [part],
        [callback],
    ):
        pipe = make(*sources, start_method="fork", workers=4, batch=True)
        words = warned(pipe.start_py_workers)
        count = len(pipe.worker_pids())
        with pipe:
            pipe.run()
        results.append([words, count])
    return results
