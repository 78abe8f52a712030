"""Runs one program with two systems, NVIDIA's DALI and jaxdali: what programs read, and what their pipelines return."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import io
import itertools
import pathlib
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from PIL import Image

SYSTEMS = ("nvidia.dali", "jaxdali")
BATCH, RUNS = 2, 4

# A program is written as a user would write it: it takes the package, and returns its pipeline or several pipelines.
Program = Callable[[Any], Any]


class Programs(dict[str, Program]):
    """Programs by name. As a decorator, it adds a program."""

    def __call__(self, program: Program) -> Program:
        self[program.__name__] = program
        return program


def load(system: str) -> Any:
    """Imports and returns the package, with the modules that programs use."""
    for module in ("fn", "math", "ops", "types"):
        importlib.import_module(f"{system}.{module}")
    return importlib.import_module(system)


def pipeline(dali: Any, **options: Any) -> Any:
    return dali.Pipeline(**{"batch_size": BATCH, "num_threads": 1, "device_id": None, "seed": 7, **options})


def graph(outputs: Callable[[Any], Any]) -> Program:
    """Makes a program that defines a pipeline; `outputs` is called in its scope and returns the outputs."""

    def program(dali: Any) -> Any:
        return dali.pipeline_def(batch_size=BATCH, num_threads=1, device_id=None, seed=7)(outputs)(dali)

    program.__name__ = outputs.__name__
    return program


# WHAT PROGRAMS READ ---------------------------------------------------------------------------------------------------


def counted(*shape: int, dtype: Any = np.int32, epoch: int | None = None) -> Callable[[], Iterator[list[np.ndarray]]]:
    """Makes a generator function of batches: sample k of the first batch starts at 10 + k, of the second at 20 + k, ...

    Args:
        shape: of a sample; values increase by one along it.
        epoch: number of batches; None: endless.
    """
    rising = np.arange(np.prod(shape, dtype=int)).reshape(shape)

    def batches() -> Iterator[list[np.ndarray]]:
        for k in itertools.count(1) if epoch is None else range(1, epoch + 1):
            yield [(rising + 10 * k + row).astype(dtype) for row in range(BATCH)]

    return batches


def images() -> Callable[[], Iterator[list[np.ndarray]]]:
    return counted(2, 3, 3, dtype=np.uint8)


@functools.cache
def folder() -> str:
    """A folder with three small images in three classes; it is kept until the interpreter ends."""
    keep = tempfile.TemporaryDirectory()
    folder.keep = keep  # type: ignore[attr-defined]
    for k in range(3):
        path = pathlib.Path(keep.name) / f"class{k}"
        path.mkdir()
        (path / "image.png").write_bytes(png(k))
    return keep.name


@functools.cache
def png(seed: int) -> bytes:
    """A PNG file of 4 x 5 pixels."""
    stream = io.BytesIO()
    Image.fromarray(np.random.default_rng(seed).integers(0, 256, (4, 5, 3), np.uint8)).save(stream, "PNG")
    return stream.getvalue()


# WHAT THEY RETURN -----------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Output:
    """One output of one batch."""

    dtype: str
    layout: str
    samples: list[np.ndarray]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Output)
            and (self.dtype, self.layout, len(self.samples)) == (other.dtype, other.layout, len(other.samples))
            and all(map(np.array_equal, self.samples, other.samples))
        )

    @property
    def form(self) -> tuple[Any, ...]:
        """Everything except the values."""
        return self.dtype, self.layout, [(sample.dtype, sample.shape) for sample in self.samples]


def batches(pipe: Any) -> list[list[Output] | str]:
    """Returns the results of a few runs; "end" stands for the end of an epoch, after which the next one begins."""
    found: list[list[Output] | str] = []
    for _ in range(RUNS):
        try:
            outputs = pipe.run()
        except StopIteration:
            pipe.reset()
            found.append("end")
        else:
            found.append(
                [
                    Output(out.dtype.name, out.layout(), [np.array(out.at(k)) for k in range(len(out))])
                    for out in outputs
                ]
            )
    return found


def results(program: Program, system: str) -> list[list[list[Output] | str]]:
    """Returns the batches of each of a program's pipelines."""
    made = program(load(system))
    return [batches(pipe) for pipe in (made if isinstance(made, list) else [made])]


def forms(result: Any) -> Any:
    """Returns a result without its values."""
    if isinstance(result, list):
        return [forms(part) for part in result]
    return result if isinstance(result, str) else result.form


def who_equals_whom(result: list[list[list[Output] | str]]) -> list[list[bool]]:
    """Returns, for each output of each batch of each pipeline, which outputs it equals."""
    outputs = [out for pipe in result for batch in pipe if batch != "end" for out in batch]
    return [[one == other for other in outputs] for one in outputs]
