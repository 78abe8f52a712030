"""Runs several compiled device functions in sequence, with Python functions called between them.

`prepare` prepares the first link. `dispatch` goes from link to link: it dispatches the link's stage and, unless it is
the last, checks the result, makes columns of the outputs that cross, calls the functions, and makes columns of what
they return; the next link sees these behind the sources' columns. Out goes a `ChainedBatch`, with outputs of several
links. It relies on `_Chain`, which has what finished links made: after an interrupt only the link that was under way
runs again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from jaxdali._feed.ring.columns import Column
from jaxdali._feed.ring.host_batch import HostBatch, HostColumn
from .device_io.intermediates import MadeColumn, host_samples
from .device_stage import DeviceBatch, DeviceStage, Prepared
from .host_stage import Step
from .tracing import stage

__all__ = ["ChainedBatch", "ChainedStage", "HostFunction", "Link"]


@dataclasses.dataclass(frozen=True)
class HostFunction:
    """A Python function in a pipeline.

    Attributes:
        inputs: numbers of the columns it is given.
        call: `(samples of each input, samples of the batch) -> samples of each output`.
        outputs: what is known of its outputs, which become the next columns.
        follows: the outputs have the layout of its first input.
        puts: for each output a function that makes the column from its samples, if they are files; None for arrays.
    """

    inputs: Sequence[int]
    call: Callable[[Sequence[Sequence[np.ndarray]], int], Sequence[Sequence[np.ndarray]]]
    outputs: Sequence[Column]
    puts: Sequence[Callable[[Sequence[np.ndarray]], HostColumn] | None]
    follows: bool = False


@dataclasses.dataclass(frozen=True)
class Link:
    """A device function, and the Python functions called after it.

    Attributes:
        stage: runs it; None if there is nothing to compute.
        program: the program of the stage, which knows the layouts and types of its outputs.
        crossing: indices of those outputs that later links use; they become the next columns.
        functions: in order.
    """

    stage: DeviceStage | None
    program: Any
    crossing: Sequence[int]
    functions: Sequence[HostFunction]


@dataclasses.dataclass(eq=False)
class _Chain:
    """The state of a batch between links.

    Attributes:
        batches: for each finished link, what its stage dispatched.
        made: columns that follow those of the sources.
        wide: for each of those the 64-bit type in which functions receive it; None: its own type.
    """

    batches: list[DeviceBatch | None] = dataclasses.field(default_factory=list)
    made: list[HostColumn] = dataclasses.field(default_factory=list)
    wide: list[np.dtype | None] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(eq=False)
class _Prepared:
    """A step whose first stage has been prepared."""

    step: Step
    first: Prepared | None
    chain: _Chain = dataclasses.field(default_factory=_Chain)

    @property
    def is_ready(self) -> bool:
        return self.first is None or self.first.is_ready

    def wait(self, seconds: float) -> bool:
        return self.first is None or self.first.wait(seconds)

    def close(self) -> None:
        if self.first is not None:
            self.first.close()


@dataclasses.dataclass(eq=False)
class ChainedBatch:
    """The result of a step; like `DeviceBatch`. All links but the last were checked already."""

    outputs: Any
    columns: Sequence[HostColumn]
    batches: Sequence[DeviceBatch | None]

    def check(self, step: Step) -> None:
        """See `DeviceBatch.check`."""
        if self.batches[-1] is not None:
            self.batches[-1].check(_extended(step, self.columns))

    def close(self, used: bool = True) -> None:
        """See `DeviceBatch.close`."""
        for batch in self.batches:
            if batch is not None:
                batch.close(used)


class ChainedStage:
    """Runs links one after the other, on the calling thread. Before a function is called, its arguments are computed,
    and errors in them are raised.

    Args:
        links: at least two.
        columns: those of the sources, then what is known of the columns that are made. Outputs that cross get the
            layout that their program states.
        outputs: for each pipeline output its link, and its number among the outputs of that link.
    """

    def __init__(self, links: Sequence[Link], columns: list[Column], outputs: Sequence[tuple[int, int]]):
        self._links = links
        self._columns = columns
        self._outputs = outputs
        # For each column that a function makes, its last batch that had samples.
        self._before: dict[int, MadeColumn] = {}
        self.memory = next((link.stage.memory for link in links if link.stage is not None), None)

    @property
    def _first(self) -> DeviceStage | None:
        return self._links[0].stage

    @property
    def decodes_ahead(self) -> bool:
        """Whether an engine decodes the images of prepared steps."""
        return self._first is not None and self._first.decodes_ahead

    @property
    def engine_counts(self) -> dict[str, int] | None:
        """The counts of the engine that decodes ahead; None if there is no engine."""
        return None if self._first is None else self._first.engine_counts

    def prepare(self, step: Step) -> _Prepared:
        """See `DeviceStage.prepare`."""
        return _Prepared(step, None if self._first is None else self._first.prepare(step))

    def dispatch(self, prepared: _Prepared) -> ChainedBatch:
        """Computes a batch up to its last link, and starts that one. After an interrupt it continues with the link it
        had reached.
        """
        step, chain = prepared.step, prepared.chain
        for number in range(len(chain.batches), len(self._links)):
            link, extended = self._links[number], _extended(step, chain.made)
            batch = None
            if link.stage is not None:
                own = prepared.first if number == 0 and prepared.first is not None else link.stage.prepare(extended)
                batch = link.stage.dispatch(own)
            if number < len(self._links) - 1:
                made, wide = self._between(link, batch, step, chain)
                chain.wide += wide
                chain.made += made
            # Only now: after an interrupt this link runs again, and no other.
            chain.batches.append(batch)
        outputs = []
        for number, index in self._outputs:
            of = chain.batches[number]
            assert of is not None
            outputs.append(of.outputs[index])
        return ChainedBatch(outputs, chain.made, chain.batches)

    def _between(
        self, link: Link, batch: DeviceBatch | None, step: Step, chain: _Chain
    ) -> tuple[list[HostColumn], list[np.dtype | None]]:
        """Returns what a link makes for the links after it: the outputs that cross, then what its functions make."""
        made: list[HostColumn] = []
        wide: list[np.dtype | None] = []
        first = len(step.columns) + len(chain.made)
        if batch is not None:
            batch.check(_extended(step, chain.made))
        for index in link.crossing:
            assert batch is not None
            number = first + len(made)
            layout = link.program.layouts[index]
            self._columns[number] = dataclasses.replace(self._columns[number], declared_layout=layout)
            wide.append(link.program.wide[index])
            data, shapes = batch.outputs[index]
            made.append(_crossed(self._columns[number], data, shapes, wide[-1]))
        for function in link.functions:
            columns = [*step.columns, *chain.made, *made]
            types = [*[None] * len(step.columns), *chain.wide, *wide]
            inputs = [host_samples(columns[number], types[number]) for number in function.inputs]
            with stage("python", step):
                found = function.call(inputs, step.samples)
            for column, samples, put in zip(function.outputs, found, function.puts, strict=True):
                number = first + len(made)
                wide.append(None)
                if put is not None:
                    made.append(put(samples))
                    continue
                if function.follows:
                    column = dataclasses.replace(column, declared_layout=columns[function.inputs[0]].column.layout)
                    self._columns[number] = column
                one = MadeColumn.of_samples(column, samples, self._before.get(number))
                if samples:
                    self._before[number] = one
                made.append(one)
        return made, wide


def _crossed(column: Column, data: Any, shapes: object, wide: np.dtype | None) -> MadeColumn:
    """Returns an output of a program as a column; on a GPU it stays there."""
    on_host = next(iter(data.devices())).platform == "cpu"
    own = None if shapes is None else np.asarray(jax.device_get(shapes))
    return MadeColumn(column, np.asarray(data) if on_host else data, own, wide)


def _extended(step: Step, made: Sequence[HostColumn]) -> Step:
    """Returns the step with the columns in `made` added after its own."""
    if not made:
        return step
    batch = HostBatch(step.epoch, step.iteration, step.first_sample, step.samples, list(made), [])
    return dataclasses.replace(step, batches=[*step.batches, batch])
