"""Makes pipelines of external sources for scenario programs, and returns what they give in a form that fits JSON."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import jaxdali as dali
from jaxdali import fn

STOP, RESET = "stop", "reset"


def make(
    *sources: Any,
    start_method: str | None = None,
    workers: int = 2,
    batch_size: int = 2,
    depth: int = 2,
    ahead: int | None = None,
    settings: dict[str, Any] | None = None,
    **common: Any,
) -> dali.Pipeline:
    """Makes a pipeline that returns what its sources give.

    Args:
        sources: each a source, or `(source, arguments of its external_source)`.
        start_method: how workers start; None: the sources run without workers.
        ahead: the prefetch_queue_depth of parallel sources.
        settings: arguments of the pipeline.
        common: arguments of every external_source.
    """
    parallel = {} if start_method is None else {"parallel": True, "prefetch_queue_depth": ahead}
    pipe = dali.Pipeline(
        batch_size=batch_size,
        prefetch_queue_depth=depth,
        py_num_workers=workers,
        py_start_method=start_method,
        **(settings or {}),
    )
    with pipe:
        nodes = []
        for source in sources:
            source, own = source if isinstance(source, tuple) else (source, {})
            nodes.append(fn.external_source(source, **{**parallel, **common, **own}))
        pipe.set_outputs(*nodes)  # a node may also be a list of nodes
    return pipe


def numbers(pipe: dali.Pipeline) -> Any:
    """Returns the first number of every sample of the next batch, by output; or STOP."""
    try:
        outputs = pipe.run()
    except StopIteration:
        return STOP
    return [[int(output.at(row).flat[0]) for row in range(len(output))] for output in outputs]


def samples(pipe: dali.Pipeline) -> Any:
    """Returns `[dtype, shape, contents]` of every sample of the next batch, by output; or STOP."""
    try:
        outputs = pipe.run()
    except StopIteration:
        return STOP
    return [
        [[str(array.dtype), list(array.shape), array.tolist()] for array in map(output.at, range(len(output)))]
        for output in outputs
    ]


def described(call: Callable[[], Any]) -> dict[str, Any] | None:
    """Returns type, text and place of the error that `call` raises; None if it returns."""
    try:
        call()
    except (Exception, SystemExit) as error:
        places = ("output", "sample_index", "iteration", "epoch", "worker_id", "pid")
        return {
            "types": [kind.__name__ for kind in type(error).__mro__],
            "text": str(error),
            "notes": list(getattr(error, "__notes__", ())),
            **{name: getattr(error, name, None) for name in places},
        }
    return None


def warned(call: Callable[[], Any]) -> list[str]:
    """Returns the warnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(entry.message) for entry in caught]
