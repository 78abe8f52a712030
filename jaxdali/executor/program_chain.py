"""Several compiled device functions, one behind the other, and functions of Python that are called between them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from ..ring.columns import Column
from ..ring.host_batch import HostBatch, HostColumn
from .device_io.intermediates import MadeColumn, host_samples
from .device_stage import DeviceBatch, DeviceStage, Prepared
from .host_stage import Step
from .tracing import stage

__all__ = ["ChainedBatch", "ChainedStage", "HostFunction", "Link"]


@dataclasses.dataclass(frozen=True)
class HostFunction:
    """A function of Python.

    Attributes:
        inputs: numbers of the columns that it is given.
        call: `(samples of each input, samples of the batch) -> samples of each output`.
        outputs: what is known of its outputs, which are the next columns.
        follows: they have the layout of its first input.
        puts: of each what makes the column of its samples, where they are files; None: they are arrays.
    """

    inputs: Sequence[int]
    call: Callable[[Sequence[Sequence[np.ndarray]], int], Sequence[Sequence[np.ndarray]]]
    outputs: Sequence[Column]
    puts: Sequence[Callable[[Sequence[np.ndarray]], HostColumn] | None]
    follows: bool = False


@dataclasses.dataclass(frozen=True)
class Link:
    """A device function, and what is called behind it.

    Attributes:
        stage: that runs it; None: there is nothing to compute.
        program: of the stage, which knows the layouts and types of its outputs.
        crossing: which of its outputs are columns from here on, the next ones.
        functions: in order.
    """

    stage: DeviceStage | None
    program: Any
    crossing: Sequence[int]
    functions: Sequence[HostFunction]


@dataclasses.dataclass(eq=False)
class _Chain:
    """A batch on its way through the links.

    Attributes:
        batches: of links that are done, what their stage dispatched.
        made: columns behind those of the sources.
        wide: of each of those the type of 64 bits that functions are given it in; None: its own.
    """

    batches: list[DeviceBatch | None] = dataclasses.field(default_factory=list)
    made: list[HostColumn] = dataclasses.field(default_factory=list)
    wide: list[np.dtype | None] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(eq=False)
class _Prepared:
    """A step whose first stage is prepared."""

    step: Step
    first: Prepared | None
    chain: _Chain = dataclasses.field(default_factory=_Chain)

    @property
    def settled(self) -> bool:
        return self.first is None or self.first.settled

    def wait(self, seconds: float) -> bool:
        return self.first is None or self.first.wait(seconds)

    def close(self) -> None:
        if self.first is not None:
            self.first.close()


@dataclasses.dataclass(eq=False)
class ChainedBatch:
    """What became of a step; as `DeviceBatch`. Of all links but the last it is known already."""

    outputs: Any
    columns: Sequence[HostColumn]
    batches: Sequence[DeviceBatch | None]

    def check(self, step: Step) -> None:
        """See `DeviceBatch.check`."""
        if self.batches[-1] is not None:
            self.batches[-1].check(step)

    def close(self, used: bool = True) -> None:
        """See `DeviceBatch.close`."""
        for batch in self.batches:
            if batch is not None:
                batch.close(used)


class ChainedStage:
    """Runs links one after the other, on the calling thread: before a function is called, its arguments are computed, and
    what went wrong with them is raised.

    Args:
        links: at least two.
        columns: of the sources, and behind them what is known of the columns that are made; those that cross get the layout
            that their program says.
        outputs: of each that is handed out its link, and its number among the outputs of that.
    """

    def __init__(self, links: Sequence[Link], columns: list[Column], outputs: Sequence[tuple[int, int]]):
        self._links = links
        self._columns = columns
        self._outputs = outputs
        # Of each column that a function makes the last batch that had samples.
        self._before: dict[int, MadeColumn] = {}
        self.memory = next((link.stage.memory for link in links if link.stage is not None), None)

    @property
    def _first(self) -> DeviceStage | None:
        return self._links[0].stage

    @property
    def decodes_ahead(self) -> bool:
        """Whether an engine decodes what is prepared."""
        return self._first is not None and self._first.decodes_ahead

    @property
    def engine_counts(self) -> dict[str, int] | None:
        """Of the engine that decodes ahead; None: there is none."""
        return None if self._first is None else self._first.engine_counts

    def prepare(self, step: Step) -> _Prepared:
        """See `DeviceStage.prepare`."""
        return _Prepared(step, None if self._first is None else self._first.prepare(step))

    def dispatch(self, prepared: _Prepared) -> ChainedBatch:
        """Computes a batch up to its last link, and starts that. After an interrupt it goes on with the link that it
        was at.
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
            # Only now: an interrupt has this link done once more, and no other.
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
        """What a link makes for those behind it: what crosses, then what its functions make."""
        made: list[HostColumn] = []
        wide: list[np.dtype | None] = []
        first = len(step.columns) + len(chain.made)
        if batch is not None:
            batch.check(step)
        for index in link.crossing:
            assert batch is not None
            number = first + len(made)
            layout = link.program.layouts[index]
            self._columns[number] = dataclasses.replace(self._columns[number], declared_layout=layout)
            made.append(_crossed(self._columns[number], *batch.outputs[index]))
            wide.append(link.program.wide[index])
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


def _crossed(column: Column, data: Any, shapes: object) -> MadeColumn:
    """What a program computed as a column; on a GPU it stays there."""
    on_host = next(iter(data.devices())).platform == "cpu"
    own = None if shapes is None else np.asarray(jax.device_get(shapes))
    return MadeColumn(column, np.asarray(data) if on_host else data, own)


def _extended(step: Step, made: Sequence[HostColumn]) -> Step:
    """A step with what was made of it behind its columns."""
    if not made:
        return step
    batch = HostBatch(step.epoch, step.iteration, step.first_sample, step.samples, list(made), [])
    return dataclasses.replace(step, batches=[*step.batches, batch])
