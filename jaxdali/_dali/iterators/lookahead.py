"""The batches of an iterator whose next batch can be peeked at before it is taken."""

from __future__ import annotations

import concurrent.futures
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from jaxdali.errors import StateError
from .batches import Batches

if TYPE_CHECKING:
    import jax

__all__ = ["ArraySpec", "PeekableBatches"]


class ArraySpec(NamedTuple):
    """Shape and dtype of an output. If the clu package is installed, its type of that name is used instead."""

    shape: tuple[int, ...]
    dtype: Any


class _Peeked(NamedTuple):
    """A batch, and how many rows of each pipeline are not padding (None if unknown)."""

    batch: dict[str, jax.Array]
    real_rows: list[int] | None


class PeekableBatches(Batches):
    """Implements `DALIGenericPeekableIterator`; see there."""

    def __init__(self, *arguments: Any, **named: Any):
        self._lock = threading.RLock()
        self._looked_at: _Peeked | None = None
        # About the last batch that `next` returned.
        self._gave = False
        self._real: list[int] | None = None
        self._assemble_mask: Any = None
        self._saw_end = False
        self._spec: dict[str, Any] | None = None
        self._spec_type = _array_spec()
        self._threads: concurrent.futures.ThreadPoolExecutor | None = None
        super().__init__(*arguments, **named)

    def next(self) -> dict[str, jax.Array]:
        while True:
            self.check_open()
            # No call from here to `return`: if interrupted, the batch is still to be taken, or the caller has it. Nor
            # can the interpreter switch threads in between.
            looked, self._looked_at = self._looked_at, None
            if looked is not None:
                self._gave, self._real = True, looked.real_rows
                return looked.batch
            with self._lock:
                if self._saw_end:
                    self._saw_end = False
                    raise StopIteration
                self._look()

    def _look(self) -> None:
        if self._looked_at is None:
            # `_advance` counts the batch when only this assignment is left to do.
            self._looked_at = self.exclusive.run_exclusively(self._advance, self._end)

    def _packed(self, batch: dict[str, jax.Array]) -> _Peeked:
        return _Peeked(self._checked(batch), self._real_rows())

    def begin(self) -> None:
        self.check_open()
        with self._lock:
            self._saw_end = False
            super().begin()

    def close(self) -> None:
        """See `DALIGenericPeekableIterator.close`."""
        super().close()
        if self.exclusive.elsewhere:
            return
        self._looked_at = None
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)

    def peek(self) -> dict[str, jax.Array]:
        """See `DALIGenericPeekableIterator.peek`."""
        self.check_open()
        with self._lock:
            if self._saw_end:
                raise StopIteration
            try:
                self._look()
            except StopIteration:
                self._saw_end = True
                raise
            looked = self._looked_at
        # Another thread that calls `next` may have taken it.
        return self.peek() if looked is None else looked.batch

    def peek_async(self) -> concurrent.futures.Future[dict[str, jax.Array]]:
        """See `DALIGenericPeekableIterator.peek_async`."""
        self.check_open()
        with self._lock:
            if self._threads is None:
                self._threads = concurrent.futures.ThreadPoolExecutor(1, "jaxdali-peek")
            return self._threads.submit(self._peek_for_future)

    def _peek_for_future(self) -> dict[str, jax.Array]:
        try:
            return self.peek()
        except StopIteration as end:
            # A future that raises StopIteration would end any generator that waits for it.
            raise IndexError("the epoch is over; next() raises StopIteration") from end

    def reset(self) -> None:
        self.check_open()
        with self._lock:
            looked = self._looked_at
            if self._saw_end:
                self._saw_end = False
            elif looked is not None and not self._streams:
                if self._given == 1:
                    return  # `next` returned nothing of this epoch
                if not all(map(self._goes_on_at, range(len(self.sessions)))):
                    self._looked_at = looked = None
            super().reset()
            if looked is not None and not self._streams:
                self._given = 1  # it is the first batch of the new epoch

    def checkpoints(self) -> list[bytes]:
        """See `DALIGenericPeekableIterator.checkpoints`."""
        self.check_open()
        with self._lock:
            if self._looked_at is not None or self._saw_end:
                raise StateError("cannot checkpoint after peek(): call next() first")
            return super().checkpoints()

    @property
    def element_spec(self) -> dict[str, Any]:
        """See `DALIGenericPeekableIterator.element_spec`."""
        if self._spec is None:
            self.peek()
        assert self._spec is not None
        return self._spec

    @property
    def is_nonpadding(self) -> np.ndarray | jax.Array:
        """See `DALIGenericPeekableIterator.is_nonpadding`."""
        gave, rows = self._gave, self._real
        if not gave:
            raise StateError("is_nonpadding describes the batch that next() returned last: call next() first")
        if rows is None:
            raise StateError(
                "which rows are padding is not known: the epoch began with what FILL had read ahead (make the "
                "reader with pad_last_batch=True), or several pipelines share size= (give reader_name=)"
            )
        size = self.sessions[0].options.batch_size
        masks = [np.arange(min(real, size) if self._trims else size) < real for real in rows]
        if self._assemble_mask is None:
            return np.concatenate(masks)
        import jax

        placed = [jax.device_put(mask, one.device) for mask, one in zip(masks, self.sessions, strict=True)]
        return self._assemble_mask(placed, "is_nonpadding")

    def _assemblers(self, sharding: object, pmap_compatible: bool | None) -> tuple[Mapping[str, Any], int]:
        assemblers, parts = super()._assemblers(sharding, pmap_compatible)
        if sharding is not None:
            from jaxdali._run.multihost.assemble import ShardedBatch

            self._assemble_mask = ShardedBatch.of_masks(
                [one for one in assemblers.values() if isinstance(one, ShardedBatch)]
            )
        return assemblers, parts

    def _spec_of(self, output: Any) -> Any:
        if isinstance(output, tuple):  # images on a canvas, and their shapes
            return tuple(self._spec_of(array) for array in output)
        return self._spec_type(shape=output.shape, dtype=output.dtype)

    def _checked(self, batch: dict[str, jax.Array]) -> dict[str, jax.Array]:
        found = {name: self._spec_of(array) for name, array in batch.items()}
        self._spec = self._spec or found
        for name, expected in self._spec.items():
            if found[name] != expected:
                raise ValueError(
                    f"the shape or type of the output {name!r} changed between iterations, from {expected} to "
                    f"{found[name]}; those of a peekable iterator must stay as in its first batch. Use "
                    "DALIGenericIterator, or make batches full"
                )
        return batch


def _array_spec() -> Any:
    try:
        from clu.data.dataset_iterator import ArraySpec as OfClu  # type: ignore[import-not-found]
    except ImportError:
        return ArraySpec
    return OfClu
