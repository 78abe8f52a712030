"""Batches of pipelines as dictionaries of `jax.Array`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import ConfigError, DecodeError, StateError
from ...executor.turn import Turn
from ...iterator.policy import LastBatchPolicy
from ...pipeline import Pipeline, session_of
from ...planner.extents import check_dense
from . import arguments
from .agreement import check_end, check_processes
from .position import position_of

if TYPE_CHECKING:
    from typing import Self

    import jax

__all__ = ["DALIGenericIterator"]

logger = logging.getLogger("jaxdali")


class DALIGenericIterator:
    """Iterates over one pipeline or several: every step is `{name: jax.Array}`; DALI's class of the same name.

    Of one pipeline, arrays lie on its device, `[N, ...]`. Outputs that come straight from a source alias the slot where the
    worker wrote them; an array that was handed out never changes. Of several pipelines, with one device each, every array
    is one global array: with `sharding` as that says, else `[pipelines, N, ...]` as `jax.pmap` takes it.

    `close`, or the end of a `with` block, ends it. Pipelines that were handed in are not closed with it, as they may be used
    further; those that `data_iterator` made are.
    Images that keep the sizes of their files need a decoder with `canvas=` where there are several devices, and are pairs
    then, of `[N, height, width, 3]` and `int32[N, 3]` shapes; of one device that is a choice.

    Where a source declares `__len__`, every batch is full all the same: of the last one FILL repeats the last sample, DROP
    leaves it out, and PARTIAL makes it smaller.

    Args:
        pipelines: one pipeline, or a list; each makes the rows of one part of the global batch.
        output_map: names of the outputs, in order; further outputs are left out.
        size: samples of an epoch, of all pipelines of this iterator: it ends after `ceil(size / (pipelines * batch_size))`
            batches (floor with DROP). As in DALI it is the sum of their shards, so with several processes that of this
            process's. -1, of one pipeline only: those of the source where it declares `__len__`, else the epoch ends when
            it raises StopIteration.
        reader_name: the reader that says how long epochs are; not together with `size` and `last_batch_padded`. Without
            `pad_last_batch` FILL completes an epoch with samples of the next one, which then is shorter; with it by
            repeating the last sample. DROP leaves out what is not a whole batch in every shard.
        auto_reset: the next epoch begins by itself when one has ended. Without it `reset()` or `iter()` begins it.
        fill_last_batch: deprecated: True is FILL, False is PARTIAL.
        last_batch_padded: with `size`, of readers: their shards end with a full batch (`pad_last_batch`).
        last_batch_policy: FILL, DROP, or, of one pipeline, PARTIAL.
        prepare_first_batch: take the first batch now, so that the workers begin. An image of it that cannot be decoded is a
            matter of that batch: the first `next` raises it, and the one after it gives the second batch. What else is
            wrong, such as what a source raises, is raised at once.
        sharding: of the global arrays: one `jax.sharding.Sharding` for all outputs, or a dictionary with one each. Rows are
            cut along the first axis; devices that hold the same rows are replicas, and get copies of what one pipeline made.
            There is one pipeline for each distinct part on this process, placed on a device that holds it; pipelines
            that share a device (such as those of the CPU) make the parts in their order.
        pmap_compatible: whether several pipelines' batches are stacked, `[pipelines, N, ...]`, or follow each other,
            `[pipelines * N, ...]`. None: they are, without `sharding`. True stacks a single pipeline's, too.
        on_error: what becomes of files that cannot be decoded, where their decoder does not say: "raise" or "zeros", see
            `fn.decoders.image`. None: as the pipeline says.

    Raises:
        ConfigError: names that are not distinct, or an argument that cannot be honoured; over several devices, an output
            of images of different sizes without a canvas.
        RuntimeError: prepare_first_batch finds no data in the pipeline.
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
        sharding: Any = None,
        pmap_compatible: bool | None = None,
        *,
        fill_last_batch: bool | None = None,
        on_error: str | None = None,
    ):
        self._pipelines = arguments.check_pipelines(pipelines)
        self._sessions = [session_of(pipeline) for pipeline in self._pipelines]
        self._names = arguments.check_names(output_map)
        sharded = sharding is not None or bool(pmap_compatible)
        policy = arguments.policy_of(last_batch_policy, fill_last_batch, len(self._sessions), sharded)
        self._assemble, parts = self._assemblers(sharding, pmap_compatible)
        self._epochs = arguments.make_epochs(self._sessions, size, reader_name, policy, last_batch_padded, parts)
        self._alone = check_processes(self._sessions, self._names, self._assemble, self._epochs, sharding)
        if not self._alone:
            arguments.warn_of_size(self._sessions, size)
        self._reset_at_end = arguments.is_yes(auto_reset)
        if on_error is not None:
            arguments.set_on_error(self._sessions, on_error)
        self._endless = all(session.plan.endless for session in self._sessions)
        # The epochs are those of a stream, which goes on where one has ended.
        self._streams = self._endless or reader_name is not None
        self._fills = not self._endless and size == -1 and policy is LastBatchPolicy.FILL and self._epochs is not None
        self._shards = arguments.shards_of(self._sessions, reader_name)
        self._trims = policy is LastBatchPolicy.PARTIAL
        self._owns_pipelines = isinstance(pipelines, arguments.OwnPipelines)
        self._closed = False
        self._turn = Turn("iterator").settle()
        self._given = 0  # of this epoch
        self._left_out = 0
        # What pipelines gave for the next batch, while others are waited for. An interrupted wait goes on there.
        self._parts: dict[int, list[jax.Array] | Exception] = {}
        self._first: dict[str, jax.Array] | DecodeError | None = None
        passed, self._given, self._at_end = position_of(self._sessions, self._streams)
        if self._epochs is not None:
            for _ in range(passed):
                self._epochs.advance()
        # While only the prepared batch was taken, the position is the one before it.
        self._before = self.checkpoints() if all(s.options.enable_checkpointing for s in self._sessions) else None
        over = self._epochs is not None and self._given >= self._epochs.batches
        if prepare_first_batch and not self._at_end and not over:
            try:
                self._first, self._parts = self._take(), {}
            except StopIteration:
                raise RuntimeError(
                    "there is no data in the pipeline; its source raised StopIteration at once"
                ) from None
            except DecodeError as error:
                # Without its traceback, which holds this frame and so would hold the pipelines.
                self._first, self._parts = error.with_traceback(None), {}

    def _assemblers(
        self, sharding: Any, pmap_compatible: bool | None
    ) -> tuple[Mapping[str, Callable[[Sequence[jax.Array], str], jax.Array]], int]:
        """Of each output, what makes one array of all pipelines' arrays; and how many parts the global batch has."""
        count = len(self._sessions)
        if sharding is None and count == 1 and not pmap_compatible:
            return {}, 1
        for session in self._sessions:
            check_dense(session.plan.outputs, session.program, self._names)
        if sharding is None:
            from ...iterator.assemble import StackedBatch

            stack = StackedBatch([session.device for session in self._sessions], pmap_compatible in (None, True))
            return dict.fromkeys(self._names, stack), count
        if pmap_compatible:
            raise ConfigError(
                "pmap_compatible=True and sharding= exclude each other: a sharding says how an array is laid out"
            )
        from .placement import place_pipelines

        return place_pipelines(sharding, self._names, [session.device for session in self._sessions])

    def close(self) -> None:
        """Lets go of what was taken ahead, and ends the workers of pipelines that `data_iterator` made. Pipelines that were
        handed in stay open; their next batch is the one behind the last that the iterator had taken. Batches that were
        handed out stay valid. Any thread may call it, and a second call does nothing, or what an interrupt kept the first
        one from. In a forked child it does nothing.
        """
        self._closed = self._closed or not self._turn.elsewhere
        self._turn.close(self._stop, self._end)

    def _stop(self) -> None:
        if self._owns_pipelines:
            for session in self._sessions:
                session.close()

    def _end(self) -> None:
        self._parts, self._first = {}, None
        self._stop()

    def __enter__(self) -> Self:
        self._check_open()
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._closed:
            advice = (
                "make a new one"
                if self._owns_pipelines
                else "make a new one, over its pipelines if they are still open"
            )
            raise StateError(f"the iterator is closed; {advice}")
        self._turn.check_process()

    def checkpoints(self) -> list[bytes]:
        """One record a pipeline, for their `checkpoint=`: an iterator over pipelines that were made from them goes on behind
        the last batch that this one handed out.

        Raises:
            StateError: a pipeline was made without enable_checkpointing=True, or `next` was interrupted and is to be called
                again first; or the iterator is closed.
        """
        self._check_open()
        return self._turn.take(self._checkpoints, self._end)

    def _checkpoints(self) -> list[bytes]:
        if self._parts or (self._left_out and not self._at_end):
            raise StateError(
                "next() was interrupted while it had taken some of a batch: call it again before checkpoints()"
            )
        if self._first is not None and self._before is not None:
            return self._before
        epoch = 0 if self._epochs is None else self._epochs.passed
        state = {"epoch": epoch, "given": self._given, "at_end": self._at_end}
        return [session.checkpoint(state) for session in self._sessions]

    def __iter__(self) -> Self:
        self._check_open()
        if self._at_end:
            self.reset()
        return self

    def __len__(self) -> int:
        """Batches of this epoch.

        Raises:
            TypeError: not known; give size=.
        """
        if self._epochs is None:
            raise TypeError("the length of the iterator is not known: give it size=, the samples of an epoch")
        return self._epochs.length

    def __next__(self) -> dict[str, jax.Array]:
        """The next batch.

        Raises:
            StopIteration: the epoch is over.
            StateError: the iterator is closed; or another thread is in it, or this process is a fork of the one that made
                it. Nothing is lost.
            SourceError: with several processes, the source of this one ended before `size`, which the others go on to.
            Exception: as `Pipeline.run`. The batch counts as one of the epoch.
        """
        self._check_open()
        return self._turn.take(self._advance, self._end)

    def _advance(self) -> Any:
        if self._at_end:
            if self._reset_at_end:
                self._reset()  # an interrupt came before it was done
            raise StopIteration
        try:
            if self._epochs is not None and self._given >= self._epochs.batches:
                self._leave_out(self._epochs.taken - self._epochs.batches)
                raise StopIteration
            first = self._prepared()
            batch = self._packed(self._trimmed(self._take() if first is None else first))
        except StopIteration:
            if self._epochs is not None and not self._alone:
                check_end(self._given, self._epochs.batches)
            self._at_end = True
            self._parts = {}
            if self._reset_at_end:
                self._reset()
            raise
        except Exception:
            self._parts, self._first = {}, None
            self._given += 1
            raise
        # No call from here on: with an interrupt the batch is still to be taken, or the caller has it.
        self._first = None
        self._parts = {}
        self._given += 1
        return batch

    def _packed(self, batch: dict[str, jax.Array]) -> Any:
        """What is made of a batch before it counts as handed out."""
        return batch

    next = __next__

    def reset(self) -> None:
        """Begins the next epoch.

        Does nothing before a batch was handed out. Readers go on where they are, so their epoch is to be finished first:
        before, it is warned and nothing happens.

        Raises:
            StateError: the iterator is closed.
        """
        self._check_open()
        self._turn.take(self._reset, self._end)

    def _reset(self) -> None:
        if not self._given and not self._at_end and (self._streams or self._first is not None):
            return
        if self._streams and not self._at_end:
            logger.warning("the iterator does not support resetting while epoch is not finished. Ignoring...")
            return
        for session in self._sessions:
            session.reset()
        self._parts, self._first = {}, None
        if self._epochs is not None and self._at_end:
            self._epochs.advance()
        self._given = self._left_out = 0
        self._at_end = False

    def _leave_out(self, batches: int) -> None:
        """Goes over what does not belong to the epoch; a source that has epochs begins anew in any case."""
        while self._streams and self._left_out < batches:
            try:
                self._take()
            except StopIteration:
                raise
            except Exception:
                self._parts = {}
                self._left_out += 1
                logger.warning("a batch that the epoch leaves out failed", exc_info=True)
                continue
            self._parts = {}
            self._left_out += 1

    def _prepared(self) -> dict[str, jax.Array] | None:
        """The batch that the constructor took, if it still waits.

        Raises:
            DecodeError: an image of it is bad.
        """
        first = self._first
        try:
            if isinstance(first, DecodeError):
                raise first
            return first
        finally:
            del first  # or this frame, which the traceback holds, would hold the exception

    def _take(self) -> dict[str, jax.Array]:
        """The next batch. What it is made of, or fails by, stays in `_parts`, for who is interrupted, until it counts."""
        for index in range(len(self._sessions)):
            if index not in self._parts:
                self._run(index)
        columns: list[Any] = [self._parts[index] for index in range(len(self._sessions))]
        for column in columns:
            if isinstance(column, Exception):
                try:
                    raise column
                finally:
                    # Its traceback holds this frame.
                    del column
                    columns.clear()
        if not self._assemble:
            return dict(zip(self._names, columns[0], strict=True))
        return {
            name: self._assemble[name]([column[output] for column in columns], name)
            for output, name in enumerate(self._names)
        }

    def _run(self, index: int) -> None:
        """Notes what a pipeline gives or raises. The others are asked all the same: they are to stay in step."""
        session = self._sessions[index]
        if self._endless:
            session.reset()  # where nothing would come any more, it goes on behind what failed
        on_host, package = bool(self._assemble), self._filled if self._fills else None
        try:
            # No call from when the pipeline has counted a batch, or its failure, until it is noted.
            self._parts[index] = session.arrays(len(self._names), on_host, package)
        except Exception as error:
            self._parts[index] = error
        if self._endless:
            session.reset()

    def _filled(self, arrays: list[jax.Array]) -> list[jax.Array]:
        """Full, by repeating the last sample."""
        from ...executor.transfer import count_rows, repeat_last

        missing = self._sessions[0].options.batch_size - count_rows(arrays[0])
        return [repeat_last(array, missing) for array in arrays] if missing else arrays

    def _trimmed(self, batch: dict[str, jax.Array]) -> dict[str, jax.Array]:
        """With PARTIAL: without what belongs to the next epoch."""
        if not self._trims or self._epochs is None:
            return batch
        assert self._shards is not None  # PARTIAL is of one pipeline
        rows = self._rows_left(self._shards[0], self._given)
        if rows == self._sessions[0].options.batch_size:
            return batch
        from ...executor.transfer import first_rows

        return {name: first_rows(array, rows) for name, array in batch.items()}

    def _rows_left(self, shard: int, given: int) -> int:
        """How many rows of a shard's batch belong to the epoch, of which `given` batches were handed out before."""
        assert self._epochs is not None
        size = self._sessions[0].options.batch_size
        return min(max(self._epochs.rows(shard) - given * size, 0), size)

    def _real_rows(self) -> list[int] | None:
        """Of each pipeline, how many rows of the batch that is handed out next are no padding; None: nobody knows."""
        if self._epochs is None:
            return [self._sessions[0].options.batch_size]
        if self._shards is None or not self._epochs.whole:
            return None
        return [self._rows_left(shard, self._given) for shard in self._shards]
