"""Runs one compiled device function: columns of a slot in, arrays out, one dispatch per batch.

`prepare` takes a `Step`, reads the rows of its encoded columns, and has an engine, if there is one, begin to decode
them. `dispatch` chooses what the program needs for this batch, places rows, numbers and columns, and calls the program.
The step's `outputs` may not be computed yet; `check` waits, and raises what statuses and conditions say.
It relies on `DevicePlacement` for devices, and on the `DeviceProgram` to say which columns and needs it has.
"""

from __future__ import annotations

import abc
import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import jax
import numpy as np

from jaxdali._base.aliases import PyTree
from jaxdali._base.interruptions import is_interruption
from jaxdali._base.layouts import image_axes
from jaxdali._device.ffi.error_texts import failed_row
from jaxdali._device.image.encoded import EncodedBatch, sizes_of_rows
from jaxdali._device.random.keys import words_of
from jaxdali._feed.ring.host_batch import HostColumn
from jaxdali.errors import SourceDataError
from .column_rows import array_shapes, check_shapes, image_rows, numbers_of, stacked_rows
from .condition import Condition
from .decode_ahead.ahead_decoder import AheadDecoder
from .decode_ahead.clips_ahead import finish_clips, start_clips
from .decode_ahead.split_decoder import SplitDecoder
from .decode_failures import Decoded, DecodeFailures
from .device_io.canvas import CanvasNeed, CanvasPolicy, ChannelsNeed, MeasuredNeed, Need, WideNeed
from .device_io.device_placement import DevicePlacement
from .device_io.intermediates import MadeColumn
from .device_io.packed import rows_to_pack, unpacked
from .failed_calls import CALL_FAILURES, raise_late, raise_named
from .program_memory import ProgramMemory
from .step import Step
from .tracing import staged

__all__ = ["DeviceProgram", "DeviceStage", "TransferStage"]


class DeviceProgram(Protocol):
    """A pure function of a batch.

    Attributes:
        inputs: indices of the columns that it takes.
        needs: what must be chosen for each batch: canvases for images that differ in size, channels of files, and the types
            of numbers that JAX has in fewer bits.
        takes_mask: whether it gets the mask that tells samples from padding.
        takes_step: whether it gets the number of the step.
        stacked: for a column of files that stands for T, itself and those after it, the number T.
        seed: the seed of its random draws.
    """

    inputs: Sequence[int]
    needs: Sequence[Need]
    takes_mask: bool
    takes_step: bool
    stacked: Mapping[int, int]
    seed: int

    def __call__(
        self, values: list[Any], origin: tuple[jax.Array, ...], indices: jax.Array, canvases: tuple[Any, ...]
    ) -> tuple[Any, dict[Decoded, jax.Array], dict[str, Condition]]:
        """Traced once per shape.

        Args:
            values: one per input: `EncodedBatch`, of `[N, T]` where columns are stacked, `Padded` or an array. After them,
                if it takes one, the mask `bool[N]`.
            origin: uint32[2] each, high and low words of the seed, and of the epoch; and uint32, the step, if it takes that.
            indices: uint32[N, 2], indices of the samples in their epoch.
            canvases: one per need: a canvas, a number of channels, limits of numbers, or a type of 64 bits; None if the
                column turns out to hold no images, or JAX has its type.

        Returns:
            The outputs; the statuses int32[N] of decoded columns, whose failed rows are zeros until `DeviceStage.check`
            decides whether to raise; and conditions that every sample must meet, keyed by their error texts.
        """
        ...


class _Stage(abc.ABC):
    """Prepares steps, dispatches and checks them; all of these show up in JAX's traces."""

    _ahead: Any
    _failures: DecodeFailures
    _placement: DevicePlacement

    @property
    def engine_counts(self) -> dict[str, int] | None:
        """The counts of the engine that decodes ahead; None if there is no engine."""
        return None if self._ahead is None else self._ahead.counts

    def prepare(self, step: Step) -> None:
        """Starts decoding the images of a step, if there is an engine.

        Raises:
            SourceDataError: samples differ in shape where they must not.
        """
        check_shapes(step)
        self.start(step)
        staged("prepare", self._prepare, step)

    def start(self, step: Step) -> None:
        """Starts decoding the clips of a step, if they are packed.

        Raises:
            SourceDataError: a clip has another shape than the data's first.
        """
        start_clips(step, self._placement)

    def dispatch(self, step: Step) -> None:
        """Starts computing a step's outputs. If its shapes are new, traces and compiles first, on the calling thread."""
        finish_clips(step)
        staged("dispatch", self._dispatch, step)

    def check(self, step: Step) -> None:
        """Waits for a step's results, and checks what is only known after computing.

        Raises:
            DecodeError: an image could not be decoded, and that is an error here.
            SourceDataError: a sample does not suit what is done with it.
        """
        try:
            staged("device", self._check, step, self._failures)
        except Exception as error:
            if not is_interruption(error):
                step.close()
            raise
        # Not closed after an interrupt: then `check` will run again.
        step.close()

    def outcome(self, step: Step) -> Exception | None:
        """Waits for the results, and returns what `check` will raise. Counts nothing; may run in another thread."""
        try:
            self._check(step, DecodeFailures(self._failures.on_error, is_silent=True))
        except Exception as error:
            if is_interruption(error):
                raise
            return error
        return None

    @abc.abstractmethod
    def _prepare(self, step: Step) -> None: ...

    @abc.abstractmethod
    def _dispatch(self, step: Step) -> None: ...

    @abc.abstractmethod
    def _check(self, step: Step, failures: DecodeFailures) -> None: ...


class TransferStage(_Stage):
    """Hands columns over as they are: compiles nothing, and copies only what it must.

    Args:
        assemble: makes the outputs of a batch from its columns' values, without those that stay on the host.
        placement: where the outputs appear.
        ahead: decodes images that the user may want decoded; None: nothing does.
        stacked: see `DeviceProgram`; here its columns are handed out one by one.
    """

    def __init__(
        self,
        assemble: Callable[[list[Any]], Any],
        placement: DevicePlacement,
        ahead: AheadDecoder | None = None,
        stacked: Mapping[int, int] | None = None,
    ):
        self._assemble = assemble
        self._placement = placement
        self._ahead = ahead
        self._first_of = {first + k: first for first, files in (stacked or {}).items() for k in range(1, files)}
        self._failures = DecodeFailures()

    def _prepare(self, step: Step) -> None:
        columns = enumerate(step.columns)
        step.images = {index: image_rows(column) for index, column in columns if column.column.encoded}
        if self._ahead is not None:
            step.ahead = self._ahead.start_for_user(step, {index: rows for index, (rows, _) in step.images.items()})

    def _dispatch(self, step: Step) -> None:
        images = self._placement.put(step.images) if step.images else {}
        values: list[Any] = []
        for index, column in enumerate(step.columns):
            if column.column.encoded:
                first = self._first_of.get(index)  # of a list of files, which share one array of bytes
                files = self._placement.bytes_of(column) if first is None else values[first].bytes
                values.append(EncodedBatch(files, *images[index]))
            else:
                values.append(None if column.column.host else self._placement.result(column))
        step.outputs = self._assemble([value for value in values if value is not None])
        step.ahead = None  # and not closed: decoded images stay as long as the decoder watches what the user does

    def _check(self, step: Step, failures: DecodeFailures) -> None:
        pass


class DeviceStage(_Stage):
    """Runs a program.

    Args:
        placement: where operands are put and outputs appear.
        max_canvas_bytes: limit for one batch of images of different sizes; None: the program chooses its own canvases.
        failures: how to treat images that could not be decoded.
        ahead: decodes images before they are dispatched; None: they are decoded when the program runs.
        memory: records what the program is called with; None: not needed.
        noting: notes the failures of images, which make `program` fail. It is called after a failure, because an error of
            XLA tells only one, and of several devices one's; None: that is enough.
    """

    def __init__(
        self,
        program: DeviceProgram,
        placement: DevicePlacement,
        max_canvas_bytes: int | None,
        failures: DecodeFailures,
        ahead: AheadDecoder | SplitDecoder | None = None,
        memory: ProgramMemory | None = None,
        noting: DeviceProgram | None = None,
    ):
        self.memory = memory
        self._failures = failures
        self._ahead = ahead
        self._program = program
        self._placement = placement
        self._max_canvas_bytes = max_canvas_bytes
        self._policies: dict[CanvasNeed, CanvasPolicy] = {}
        self._compiled = placement.compile(functools.partial(_traced, program))
        self._noting = None if noting is None else placement.compile(functools.partial(_traced, noting))

    @property
    def decodes_ahead(self) -> bool:
        """Whether an engine decodes the images of prepared steps."""
        return self._ahead is not None

    def _prepare(self, step: Step) -> None:
        columns = step.columns
        images = {}
        for index in self._program.inputs:
            if columns[index].column.encoded:
                files = self._program.stacked.get(index)
                images[index] = image_rows(columns[index]) if files is None else stacked_rows(columns[index:][:files])
        step.images = images
        if self._ahead is not None and images:
            step.ahead = self._ahead.start(step, {index: rows for index, (rows, _) in images.items()})
        self._send(step)

    def _send(self, step: Step) -> Any:
        """Sends rows, numbers and small columns so early that devices have them when the program is dispatched."""
        rows = {index: described for index, (described, _) in step.images.items()}
        packed = rows_to_pack(step.columns, self._program.inputs) if self._placement.packs else {}
        mask = step.mask() if self._program.takes_mask else None
        small = words_of(step.identities()[1]), mask, packed
        step.packed, step.has_run = tuple(packed), False  # not its keys, which would keep the slot's rows
        step.sent = sent = self._placement.send(rows, small, again=bool(rows) and step.samples > 0)
        return sent

    def _dispatch(self, step: Step) -> None:
        columns, ahead = step.columns, step.ahead
        # Sent again, if an interrupt came after `check` and this link of a chain is repeated.
        sent = step.sent or self._send(step)
        values: list[Any] = []
        canvases = [self._canvas(need, step) for need in self._program.needs]
        rows, small = sent.arrived()
        origin = self._placement.origin(self._program.seed, step.identities()[0])
        if self._program.takes_step:
            origin = (*origin, self._placement.number(step.number))
        for index in self._program.inputs:
            column = columns[index]
            if column.column.encoded:
                values.append(EncodedBatch(self._placement.bytes_of(column), rows[index], None))
                if ahead is not None:
                    ahead.set_known_rows(index, sent.addresses(rows[index]))
            else:
                values.append(None if index in step.packed else self._placement.column(column))
        operands = (values, origin, small, tuple(canvases))
        try:
            results = self._placement.call(self._compiled, *operands)
        except CALL_FAILURES as error:
            # The program, or the custom calls in it, may run before its dispatch returns.
            if self._max_canvas_bytes is not None or failed_row(error) is None:
                raise_named(error, step, self._failures, len(self._placement.devices), self._program.stacked)
            if (results := self._noted(operands)) is None:
                # Raised, and counted, when the step is handed out. Until then the engine knows the rows by their address.
                step.failure, step.operands = error, operands
                return
        outputs, statuses, requirements = results
        if self.memory is not None:  # after the call, so the program can be compiled
            self.memory.note(self._compiled, self._placement.context, operands[:3], operands[3], step.samples)
        if not self._placement.is_host:
            for looked_at in (*statuses.values(), *jax.tree.leaves(requirements)):
                # Starts the copy early, so that the data are on the host when `check` needs them.
                looked_at.copy_to_host_async()
        step.outputs, step.statuses, step.requirements, step.operands = outputs, statuses, requirements, operands

    def _check(self, step: Step, failures: DecodeFailures) -> None:
        # If the user's own function decodes, only waiting for it names the failed sample.
        if self._max_canvas_bytes is None and (step.images or step.failure is not None):
            self._await_outputs(step, failures)
            ahead = step.ahead
            if ahead is not None and (late := ahead.late_failure()):
                raise_late(late, step, failures)
        if step.statuses:
            statuses = {key: np.asarray(found) for key, found in step.statuses.items()}
            step.has_run = True
            failures.check(step, statuses)
        for otherwise, condition in step.requirements.items():
            if failure := condition.failure(otherwise):
                row, text = failure
                raise SourceDataError(text, step.origin(None, row))

    def _await_outputs(self, step: Step, failures: DecodeFailures) -> None:
        """Waits for the outputs. Raises what made the program fail, unless failures are noted; names the sample if it was
        an image.
        """
        failure = step.failure
        try:
            if failure is None:
                jax.block_until_ready(step.outputs)
                step.has_run = True
                return
        except CALL_FAILURES as error:
            failure = error
            if failed_row(error) is not None and (results := self._noted(step.operands)) is not None:
                step.outputs, step.statuses, step.requirements = results
                return
        raise_named(failure, step, failures, len(self._placement.devices), self._program.stacked)

    def _noted(self, operands: tuple[Any, ...]) -> Any:
        """Returns the results of the program that notes failures; None if there is none, or it fails, too."""
        if self._noting is None:
            return None
        try:
            return jax.block_until_ready(self._placement.call(self._noting, *operands))
        except CALL_FAILURES:
            return None  # decoders that are told to raise do so
        except Exception as error:
            if is_interruption(error):
                raise
            self._noting = None  # it decodes where JAX cannot note anything, as in vmap
            return None

    def _canvas(self, need: Need, step: Step) -> object:
        if isinstance(need, WideNeed):
            return _wide_type(step.columns[need.column])
        if isinstance(need, MeasuredNeed):
            return need.choose(numbers_of(step.columns[need.column]))
        if isinstance(need, ChannelsNeed):
            return need.choose(step.images[need.column][0])
        column = step.columns[need.column]
        sizes = step.images[need.column][1] if column.column.encoded else array_shapes(column)
        axes = image_axes("" if column.column.encoded else column.column.layout, sizes.shape[1])
        if axes is None:
            return None
        assert self._max_canvas_bytes is not None
        if need not in self._policies:
            self._policies[need] = CanvasPolicy(column.column.name, self._max_canvas_bytes)
        canvas = self._policies[need].choose(need.extents(sizes[:, axes]), step.first_sample)
        return dataclasses.replace(canvas, exact=canvas.exact and need.exact)


def _traced(
    program: DeviceProgram, values: list[Any], origin: tuple[jax.Array, ...], small: PyTree, canvases: tuple[Any, ...]
) -> Any:
    """What is compiled: completes what `DeviceStage` puts to what the program takes. It knows no stage, or that would be
    garbage only for the collector.
    """
    words, mask, columns = unpacked(small)
    for position, index in enumerate(program.inputs):
        if index in columns:
            values[position] = columns[index]
        elif isinstance(batch := values[position], EncodedBatch):
            values[position] = dataclasses.replace(batch, sizes=sizes_of_rows(batch.rows))
    return program(values if mask is None else [*values, mask], origin, words, canvases)


def _wide_type(column: HostColumn) -> np.dtype | None:
    """Returns the type of a column's numbers if JAX has it in fewer bits, else None."""
    if column.column.encoded or (column.is_held and column.device_batch is None):
        return None
    if column.device_batch is not None:  # not the numbers that went through the ring in its place
        dtype = np.dtype(column.device_batch.data.dtype)
    else:
        dtype = column.wide if isinstance(column, MadeColumn) and column.wide is not None else column.dtype
    return None if np.dtype(jax.dtypes.canonicalize_dtype(dtype)) == dtype else dtype
