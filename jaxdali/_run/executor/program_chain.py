"""Runs several compiled device functions in sequence, with Python functions called between them.

`prepare` prepares the first link. `dispatch` goes from link to link: it dispatches the link's stage and, unless it is
the last, checks the result, makes columns of the outputs that cross, calls the functions, and makes columns of what
they return; the step has these behind the sources' columns, for the next link. The step's `outputs` are then chosen
from those of all links. `Step.results` has what finished links gave: after an interrupt only the link that was under
way runs again. Most chains have one link.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from jaxdali._feed.ring.columns import Column
from jaxdali._feed.ring.host_batch import HostColumn
from .device_io.intermediates import MadeColumn, host_samples
from .device_stage import DeviceStage
from .step import Step
from .tracing import stage

__all__ = ["ChainedStage", "HostFunction", "Link"]


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


class ChainedStage:
    """Runs links one after the other, on the calling thread. Before a function is called, its arguments are computed,
    and errors in them are raised.

    Args:
        links: at least one.
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
        self._first, self._last = links[0].stage, links[-1].stage
        self.memory = next((link.stage.memory for link in links if link.stage is not None), None)

    @property
    def decodes_ahead(self) -> bool:
        """Whether an engine decodes the images of prepared steps."""
        return self._first is not None and self._first.decodes_ahead

    @property
    def engine_counts(self) -> dict[str, int] | None:
        """The counts of the engine that decodes ahead; None if there is no engine."""
        return None if self._first is None else self._first.engine_counts

    def prepare(self, step: Step) -> None:
        """See `DeviceStage.prepare`."""
        if self._first is not None:
            self._first.prepare(step)
        elif (later := next((link.stage for link in self._links if link.stage is not None), None)) is not None:
            later.start(step)  # functions come first, but clips of videos are decoded meanwhile

    def dispatch(self, step: Step) -> None:
        """Computes a step up to its last link, and starts that one. After an interrupt it continues with the link it
        had reached.
        """
        for link in self._links[len(step.results) :]:
            if link.stage is not None:
                if step.results:
                    link.stage.prepare(step)
                link.stage.dispatch(step)
            made = () if link is self._links[-1] else self._between(link, step)
            # Only now, and without a call in between: after an interrupt this link runs again, and no other.
            step.columns, step.results = [*step.columns, *made], [*step.results, step.outputs]
        step.outputs = [step.results[number][index] for number, index in self._outputs]

    def check(self, step: Step) -> None:
        """See `DeviceStage.check`. All links but the last were checked already."""
        if self._last is not None:
            self._last.check(step)

    def _between(self, link: Link, step: Step) -> list[HostColumn]:
        """Returns what a link makes for the links after it: the outputs that cross, then what its functions make."""
        made: list[HostColumn] = []
        given = step.columns
        if link.stage is not None:
            link.stage.check(step)
        for index in link.crossing:
            number = len(given) + len(made)
            layout = link.program.layouts[index]
            self._columns[number] = dataclasses.replace(self._columns[number], declared_layout=layout)
            data, shapes = step.outputs[index]
            made.append(_crossed(self._columns[number], data, shapes, link.program.wide[index]))
        for function in link.functions:
            columns = [*given, *made]
            inputs = [host_samples(columns[number], _wide(columns[number])) for number in function.inputs]
            with stage("python", step):
                found = function.call(inputs, step.samples)
            for column, samples, put in zip(function.outputs, found, function.puts, strict=True):
                number = len(given) + len(made)
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
        return made


def _crossed(column: Column, data: Any, shapes: object, wide: np.dtype | None) -> MadeColumn:
    """Returns an output of a program as a column; on a GPU it stays there."""
    on_host = next(iter(data.devices())).platform == "cpu"
    own = None if shapes is None else np.asarray(jax.device_get(shapes))
    return MadeColumn(column, np.asarray(data) if on_host else data, own, wide)


def _wide(column: HostColumn) -> np.dtype | None:
    """Returns the 64-bit type in which functions receive a column; None: its own type."""
    return column.wide if isinstance(column, MadeColumn) else None
