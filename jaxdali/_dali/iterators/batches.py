"""The batches of an iterator: which come, when an epoch ends, and how to continue after an interrupt."""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jaxdali._base.interruptions import forget_locals, is_interruption
from jaxdali._run.executor.exclusive_use import ExclusiveUse
from jaxdali.errors import ConfigError, DecodeError, StateError
from ..epochs.last_batch_policy import LastBatchPolicy
from ..pipeline.pipeline import Pipeline, session_of
from ..planner.known_shapes import check_dense
from ..planner.reader_epochs import align
from . import iterator_arguments as arguments
from .epoch_ends import EndWarnings
from .iterator_agreement import check_end, check_processes
from .position import position_of

if TYPE_CHECKING:
    import jax

__all__ = ["Batches"]

logger = logging.getLogger("jaxdali")


class Batches:
    """Implements `DALIGenericIterator`; see there for the arguments and the errors.

    Attributes:
        pipelines: those that make the parts of each batch; `sessions` has their sessions.
        names: those of the outputs.
        epochs: how long epochs are; None if the source decides.
        policy: what happens to an incomplete last batch.
        resets: the next epoch begins automatically.
        exclusive: allows one thread at a time.
        given: arguments that are kept only for programs that read them.
    """

    def __init__(
        self,
        pipelines: Pipeline | Sequence[Pipeline],
        output_map: Sequence[str],
        size: int = -1,
        reader_name: str | None = None,
        auto_reset: bool | str | None = False,
        last_batch_padded: bool = False,
        last_batch_policy: LastBatchPolicy = LastBatchPolicy.FILL,
        prepare_first_batch: bool = True,
        sharding: object = None,
        pmap_compatible: bool | None = None,
        *,
        fill_last_batch: bool | None = None,
        on_error: str | None = None,
    ):
        self.pipelines = arguments.check_pipelines(pipelines)
        self.sessions = [session_of(pipeline) for pipeline in self.pipelines]
        self.names = arguments.check_names(output_map)
        is_cut = len(self.sessions) > 1 or sharding is not None or bool(pmap_compatible)
        self.policy = policy = arguments.policy_of(last_batch_policy, fill_last_batch, is_cut)
        if len(self.sessions) > 1:
            # Starts the workers of all pipelines at once, because the code below builds one pipeline after the other.
            for session in self.sessions:
                session.start()
        self._assemble, parts = self._assemblers(sharding, pmap_compatible)
        self.epochs = arguments.make_epochs(self.sessions, size, reader_name, policy, last_batch_padded, parts)
        arguments.check_outputs(self.names, self.sessions[0])
        self._alone = check_processes(self.sessions, self.names, self._assemble, self.epochs, sharding)
        if not self._alone:
            arguments.warn_of_size(self.sessions, size)
        self.resets = arguments.is_yes(auto_reset)
        if on_error is not None:
            arguments.set_on_error(self.sessions, on_error)
        pads = last_batch_padded if reader_name is None else arguments.reader_pads(self.sessions[0], reader_name)
        self.given = {"reader_name": reader_name, "last_batch_padded": pads, "prepare_first_batch": prepare_first_batch}
        self._endless = all(session.plan.endless for session in self.sessions)
        # Epochs are cut from a stream, which continues where one has ended.
        self._streams = self._endless or reader_name is not None
        # The next epoch continues behind this one's data, also if they come from a source.
        self._goes_on = self._streams or all(session.plan.goes_on for session in self.sessions)
        self._fills = policy is LastBatchPolicy.FILL and arguments.length_of(self.sessions) is not None
        self._shards = arguments.shards_of(self.sessions, reader_name)
        self._trims = policy is LastBatchPolicy.PARTIAL
        if self._trims and reader_name is not None and self.epochs is not None:
            self.sessions[0].build()
            align(self.sessions[0].plan, self.sessions[0].feeds, reader_name, self.epochs.taken)
        self._warner = EndWarnings(self.sessions, policy)
        self._owns_pipelines = isinstance(pipelines, arguments.OwnPipelines)
        self._closed = False
        self.exclusive = ExclusiveUse("iterator").bind_process()
        self._given = 0  # batches handed out in this epoch
        self._left_out = 0
        # What pipelines gave for the next batch while others are waited for; an interrupted wait continues from it.
        self._parts: dict[int, list[jax.Array] | Exception] = {}
        self._first: dict[str, jax.Array] | DecodeError | None = None
        passed, self._given, self._at_end = position_of(self.sessions, self._streams)
        if self.epochs is not None:
            for _ in range(passed):
                self.epochs.advance()
        # While only the prepared batch was taken, the position is the one before it.
        self._before = self.checkpoints() if all(s.options.enable_checkpointing for s in self.sessions) else None
        over = self.epochs is not None and self._given >= self.epochs.batches
        if prepare_first_batch and not self._at_end and not over:
            try:
                self._first, self._parts = self._take(), {}
            except StopIteration:
                raise RuntimeError(
                    "there is no data in the pipeline; its source raised StopIteration at once"
                ) from None
            except DecodeError as error:
                # Drops the traceback, which holds this frame and so would keep the pipelines alive.
                self._first, self._parts = error.with_traceback(None), {}

    def _assemblers(
        self, sharding: object, pmap_compatible: bool | None
    ) -> tuple[Mapping[str, Callable[[Sequence[jax.Array], str], jax.Array]], int]:
        """Returns, for each output, what makes one array from all pipelines' arrays; and the number of parts of the
        global batch.
        """
        count = len(self.sessions)
        if sharding is None and count == 1 and not pmap_compatible:
            return {}, 1
        for session in self.sessions:
            check_dense(session.plan.outputs, session.program, self.names)
        if sharding is None:
            from jaxdali._run.multihost.assemble import StackedBatch

            stack = StackedBatch([session.device for session in self.sessions], pmap_compatible in (None, True))
            return dict.fromkeys(self.names, stack), count
        if pmap_compatible:
            raise ConfigError(
                "pmap_compatible=True and sharding= exclude each other: a sharding already says how arrays are laid out"
            )
        from .shard_placement import place_pipelines

        return place_pipelines(sharding, self.names, [session.device for session in self.sessions])

    def close(self) -> None:
        """See `DALIGenericIterator.close`."""
        self._closed = self._closed or not self.exclusive.elsewhere
        self.exclusive.close(self._stop, self._end)

    def _stop(self) -> None:
        if self._owns_pipelines:
            for session in self.sessions:
                session.close()

    def _end(self) -> None:
        self._parts, self._first = {}, None
        self._stop()

    def check_open(self) -> None:
        """Raises StateError if the iterator is closed, or belongs to another process."""
        if self._closed:
            advice = (
                "make a new one"
                if self._owns_pipelines
                else "make a new one, over its pipelines if they are still open"
            )
            raise StateError(f"the iterator is closed; {advice}")
        self.exclusive.check_process()

    def checkpoints(self) -> list[bytes]:
        """See `DALIGenericIterator.checkpoints`."""
        self.check_open()
        return self.exclusive.run_exclusively(self._checkpoints, self._end)

    def _checkpoints(self) -> list[bytes]:
        if not all(session.options.enable_checkpointing for session in self.sessions):
            raise ConfigError("Cannot access checkpoints with checkpointing disabled: give enable_checkpointing=True")
        if self._parts or (self._left_out and not self._at_end):
            raise StateError(
                "next() was interrupted when it had taken part of a batch: call it again before checkpoints()"
            )
        if self._first is not None and self._before is not None:
            return self._before
        epoch = 0 if self.epochs is None else self.epochs.passed
        state = {"epoch": epoch, "given": self._given, "at_end": self._at_end}
        return [session.checkpoint(state) for session in self.sessions]

    def begin(self) -> None:
        """Begins the next epoch if one has ended."""
        self.check_open()
        if self._at_end:
            self.reset()

    def next(self) -> dict[str, jax.Array]:
        """See `DALIGenericIterator.__next__`."""
        self.check_open()
        return self.exclusive.run_exclusively(self._advance, self._end)

    def _advance(self) -> Any:
        if self._at_end:
            if self.resets:
                self._reset()  # an interrupt prevented it before
            raise StopIteration
        try:
            if self.epochs is not None and self._given >= self.epochs.batches:
                self._leave_out(self.epochs.taken - self.epochs.batches)
                raise StopIteration
            first = self._prepared()
            batch = self._packed(self._trimmed(self._take() if first is None else first))
        except StopIteration:
            if self.epochs is not None and not self._alone:
                check_end(self._given, self.epochs.batches)
            if self.epochs is None or self._given < self.epochs.batches:
                self._warner.look(self._given)
            self._at_end = True
            self._parts = {}
            if self.resets:
                self._reset()
            raise
        except Exception as error:
            if is_interruption(error):
                forget_locals(error)
                raise
            self._parts, self._first = {}, None
            self._given += 1
            raise
        # No call from here on: if interrupted, the batch is still to be taken, or the caller has it.
        self._first = None
        self._parts = {}
        self._given += 1
        return batch

    def _packed(self, batch: dict[str, jax.Array]) -> Any:
        """Converts a batch before it counts as handed out."""
        return batch

    def count(self) -> int:
        """See `DALIGenericIterator.__len__`."""
        if self.epochs is None:
            raise TypeError("the length of the iterator is not known: give it size=, the samples of an epoch")
        return self.epochs.length

    @property
    def size(self) -> int:
        """See `DALIGenericIterator.size`."""
        return -1 if self.epochs is None else self.epochs.size

    @property
    def counter(self) -> int:
        """Samples of this epoch that were taken, as DALI counts them: with a reader, those of one pipeline."""
        taken = self._given + (self._first is not None)
        if self.epochs is None:
            return taken * self.sessions[0].options.batch_size * len(self.sessions)
        return self.epochs.counted(taken)

    @property
    def first(self) -> dict[str, jax.Array] | None:
        """The batch that the constructor took, if it still waits and did not fail."""
        return None if self._first is None or isinstance(self._first, DecodeError) else self._trimmed(self._first)

    def give_first(self) -> None:
        """Counts `first` as handed out, if there is one."""
        self.check_open()
        self.exclusive.run_exclusively(self._give_first, self._end)

    def _give_first(self) -> None:
        if self.first is not None:
            self._first = None
            self._given += 1

    def reset(self) -> None:
        """See `DALIGenericIterator.reset`."""
        self.check_open()
        self.exclusive.run_exclusively(self._reset, self._end)

    def _reset(self) -> None:
        if not self._given and not self._at_end and (self._streams or self._first is not None):
            return
        if self._streams and not self._at_end:
            logger.warning("the iterator does not support resetting while epoch is not finished. Ignoring...")
            return
        epochs = copy.copy(self.epochs)
        whole = epochs is not None and self._at_end and self._given >= epochs.batches
        for session in self.sessions:
            session.reset(goes_on=whole)
        if epochs is not None and self._at_end:
            epochs.advance(whole)
        # What an interrupted `next` has of pipelines whose data go on is the beginning of their next batch.
        parts = {} if self._at_end else {index: part for index, part in self._parts.items() if self._goes_on_at(index)}
        # No call from here on: an interrupted reset is done again for the same epoch.
        self.epochs = epochs
        self._parts, self._first = parts, None
        self._given = self._left_out = 0
        self._at_end = False

    def _goes_on_at(self, index: int) -> bool:
        """Whether a pipeline's data go on where they stood when an epoch is reset within them."""
        return all(one.source.stateful and not one.source.begins_anew for one in self.sessions[index].plan.feeds)

    def _leave_out(self, batches: int) -> None:
        """Skips batches that do not belong to the epoch, unless the source begins anew anyway."""
        while self._goes_on and self._left_out < batches:
            try:
                self._take()
            except StopIteration:
                raise
            except Exception as error:
                if is_interruption(error):
                    raise
                self._parts = {}
                self._left_out += 1
                logger.warning("a batch that the epoch skips failed", exc_info=True)
                continue
            self._parts = {}
            self._left_out += 1

    def _prepared(self) -> dict[str, jax.Array] | None:
        """Returns the batch that the constructor took, if it still waits.

        Raises:
            DecodeError: an image in it could not be decoded.
        """
        first = self._first
        try:
            if isinstance(first, DecodeError):
                raise first
            return first
        finally:
            del first  # this frame, which the traceback holds, must not hold the exception

    def _take(self) -> dict[str, jax.Array]:
        """Returns the next batch. Its parts, or the errors that it fails with, stay in `_parts` until it counts, so
        that an interrupted call can be repeated.
        """
        for index in range(len(self.sessions)):
            part = self._parts.get(index)
            if part is None or (isinstance(part, Exception) and is_interruption(part)):
                self._run(index)
            del part  # it may hold an exception
        columns: list[Any] = [self._parts[index] for index in range(len(self.sessions))]
        for column in columns:
            if isinstance(column, Exception):
                try:
                    raise column
                finally:
                    # The traceback of the error holds this frame.
                    del column
                    columns.clear()
        if not self._assemble:
            return dict(zip(self.names, columns[0], strict=True))
        return {
            name: self._assemble[name]([column[output] for column in columns], name)
            for output, name in enumerate(self.names)
        }

    def _run(self, index: int) -> None:
        """Records what a pipeline returns or raises. The other pipelines run all the same, to stay in step."""
        session = self.sessions[index]
        if self._endless:
            session.reset()  # continues behind what failed; without it nothing would come any more
        on_host, package = bool(self._assemble), self._filled if self._fills else None
        try:
            # No call between the pipeline's counting of a batch, or of its failure, and this assignment.
            self._parts[index] = session.arrays(len(self.names), on_host, package)
        except Exception as error:
            self._parts[index] = error
            if is_interruption(error):
                del self._parts[index]
                raise
        if self._endless:
            session.reset()

    def _filled(self, arrays: list[jax.Array]) -> list[jax.Array]:
        """Completes the batch by repeating the last sample."""
        from jaxdali._run.executor.device_io.transfer import count_rows, repeat_last

        missing = self.sessions[0].options.batch_size - count_rows(arrays[0])
        return [repeat_last(array, missing) for array in arrays] if missing else arrays

    def _trimmed(self, batch: dict[str, jax.Array]) -> dict[str, jax.Array]:
        """With PARTIAL: removes the rows that belong to the next epoch."""
        if not self._trims or self.epochs is None:
            return batch
        assert self._shards is not None  # PARTIAL takes one pipeline only
        rows = self._rows_left(self._shards[0], self._given)
        if rows == self.sessions[0].options.batch_size:
            return batch
        from jaxdali._run.executor.device_io.transfer import first_rows

        return {name: first_rows(array, rows) for name, array in batch.items()}

    def _rows_left(self, shard: int, given: int) -> int:
        """Returns how many rows of a shard's batch belong to the epoch after `given` batches were handed out."""
        assert self.epochs is not None
        size = self.sessions[0].options.batch_size
        return min(max(self.epochs.rows(shard) - given * size, 0), size)

    def _real_rows(self) -> list[int] | None:
        """Returns for each pipeline how many rows of the next batch are not padding; None if unknown."""
        if self.epochs is None:
            return [self.sessions[0].options.batch_size]
        if self._shards is None or not self.epochs.whole:
            return None
        return [self._rows_left(shard, self._given) for shard in self._shards]
