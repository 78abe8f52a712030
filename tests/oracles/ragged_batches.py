"""Batches of samples that differ in shape, as inputs of operators in both systems, whose outputs are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from beside_dali import SYSTEMS, load, pipeline

SAMPLES, RUNS = 3, 2

# What a source gives: its layout, and a function that makes a random sample.
Source = tuple[str, Callable[[np.random.Generator], np.ndarray]]


def numbers(rng: np.random.Generator, dtype: Any, *shape: int) -> np.ndarray:
    """Random values over the type's whole range, but at most 500 in magnitude."""
    if np.dtype(dtype).kind == "f":
        return rng.normal(0, 20, shape).astype(dtype)
    limits = np.iinfo(dtype)
    return rng.integers(max(limits.min, -500), min(limits.max, 500), shape, endpoint=True).astype(dtype)


def images(dtype: Any = np.uint8, ragged: bool = True) -> Source:
    """A source of samples of shape [2 to 6, 2 to 5, 3]; or [6, 5, 3] if not `ragged`."""

    def sample(rng: np.random.Generator) -> np.ndarray:
        height, width = (rng.integers(2, 7), rng.integers(2, 6)) if ragged else (6, 5)
        return numbers(rng, dtype, height, width, 3)

    return "HWC", sample


def batches(system: str, sources: Sequence[Source], outputs: Callable[..., Any]) -> list[Any]:
    """Runs `outputs(dali, *nodes)` on the sources; returns (type, layout, samples) for each run and output."""
    dali = load(system)
    rng = np.random.default_rng(4)
    made = [[[sample(rng) for _ in range(SAMPLES)] for _ in range(RUNS)] for _, sample in sources]
    pipe = pipeline(dali, batch_size=SAMPLES, prefetch_queue_depth=1)
    with pipe:
        nodes = [
            dali.fn.external_source(mine, batch=True, cycle="quiet", layout=layout or None)
            for mine, (layout, _) in zip(made, sources, strict=True)
        ]
        found = outputs(dali, *nodes)
        pipe.set_outputs(*(found if isinstance(found, list | tuple) else [found]))
    pipe.build()
    return [
        [(out.dtype.name, out.layout(), [np.array(out.at(k)) for k in range(SAMPLES)]) for out in pipe.run()]
        for _ in range(RUNS)
    ]


def check(sources: Sequence[Source], outputs: Callable[..., Any], rtol: float = 0, atol: float = 0) -> None:
    """Asserts that outputs are equal, floats within the given tolerances."""
    theirs, ours = (batches(system, sources, outputs) for system in SYSTEMS)
    for wanted, found in zip(theirs, ours, strict=True):
        assert len(wanted) == len(found)
        for k, (one, other) in enumerate(zip(wanted, found, strict=True)):
            assert other[:2] == one[:2], f"output {k}"
            assert [a.shape for a in other[2]] == [a.shape for a in one[2]], f"output {k}"
            for a, b in zip(other[2], one[2], strict=True):
                if a.dtype.kind == "f":
                    np.testing.assert_allclose(a, b, rtol=rtol, atol=atol, err_msg=f"output {k}")
                else:
                    np.testing.assert_array_equal(a, b, err_msg=f"output {k}")
