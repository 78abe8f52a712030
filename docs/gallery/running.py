"""Runs examples: those that are given the same, in one program, which is compiled once."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import jax
import numpy as np
from PIL import Image

import jaxdali
from jaxdali import fn, pipeline_def, types
from .example import Example, Output, Results
from .files import HEIGHT, WIDTH
from .kits import Kit

__all__ = ["inside", "printed", "run"]

# So many are compiled together at most: XLA's time grows faster than a program.
_TOGETHER = 16


@contextlib.contextmanager
def inside(folder: pathlib.Path) -> Iterator[None]:
    """Changes the working directory, where programs find their files."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run(examples: Iterable[Example]) -> dict[Example, Results]:
    """Runs examples beside the files that they read, and returns what each gave. `printed` runs those that are fed."""
    by_kit: dict[Kit, list[Example]] = {}
    for example in examples:
        by_kit.setdefault(example.kit, []).append(example)
    found: dict[Example, Results] = {}
    for kit, several in by_kit.items():
        run_some = _run_in_pipeline if kit.in_pipeline else _run_on_arrays
        for first in range(0, len(several), _TOGETHER):
            found |= run_some(several[first : first + _TOGETHER])
    return found


def printed(text: str) -> str:
    """Runs a program as it stands on a page, and returns what it prints."""
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        exec(text, {"__name__": "__main__"})
    return stream.getvalue()


def _run_in_pipeline(examples: list[Example]) -> dict[Example, Results]:
    kit = examples[0].kit
    names = sorted({name for example in examples for name in example.inputs})
    counts: list[int] = []

    @pipeline_def(batch_size=2, num_threads=1, seed=7, py_num_workers=0)
    def together() -> Any:
        space: dict[str, Any] = {"fn": fn, "np": np, "types": types}
        exec("\n".join(kit.lines_for(set(names))), space)
        outputs = [space[name] for name in names]
        counts.clear()
        for example in examples:
            result = example.function(*[space[name] for name in example.inputs])
            nodes = list(result) if isinstance(result, (tuple, list)) else [result]
            counts.append(len(nodes))
            outputs += nodes
        return tuple(outputs)

    with together() as pipe:
        batch = [_output(batch) for batch in pipe.run()]
    inputs = {name: output.batch for name, output in zip(names, batch, strict=False)}
    rest = iter(batch[len(names) :])
    return {
        example: Results(
            {name: inputs[name] for name in example.inputs},
            tuple(itertools.islice(rest, count)),
        )
        for example, count in zip(examples, counts, strict=True)
    }


def _output(batch: Any) -> Output:
    samples = [np.asarray(batch.at(k)) for k in range(len(batch))]
    return Output(
        f"{batch.dtype.name} {batch.shape()[0]} {batch.layout()}".rstrip(),
        samples,
        batch.layout(),
    )


def _run_on_arrays(examples: list[Example]) -> dict[Example, Results]:
    space: dict[str, Any] = {
        "Image": Image,
        "jax": jax,
        "jaxdali": jaxdali,
        "json": json,
        "pathlib": pathlib,
        "np": np,
    }
    names = sorted({name for example in examples for name in example.inputs})
    exec("\n".join(examples[0].kit.lines_for(set(names))), space)

    @jax.jit
    def together(given: Mapping[str, Any]) -> list[Any]:
        return [example.function(*[given[name] for name in example.inputs]) for example in examples]

    given = {name: space[name] for name in names}
    results = together(given)
    found = {}
    for example, result in zip(examples, results, strict=True):
        outputs = [Output(f"{array.dtype} {array.shape}", list(np.asarray(array))) for array in jax.tree.leaves(result)]
        inputs = {name: _samples(given[name]) for name in example.inputs}
        found[example] = Results(inputs, tuple(outputs))
    return found


def _samples(value: Any) -> Any:
    """The samples of a batch, as arrays: those of files are decoded."""
    if isinstance(value, jaxdali.EncodedBatch):
        return np.asarray(jaxdali.image.decode(value, (HEIGHT, WIDTH)))
    return value if jax.numpy.issubdtype(value.dtype, jax.dtypes.prng_key) else np.asarray(value)
