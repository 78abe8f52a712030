"""An iterator whose next batch can be looked at before it is taken."""

from __future__ import annotations

import concurrent.futures
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import StateError
from .iterator import DALIGenericIterator

if TYPE_CHECKING:
    import jax

__all__ = ["ArraySpec", "DALIGenericPeekableIterator"]


class ArraySpec(NamedTuple):
    """Shape and dtype of an output; where the clu package is installed, its type of that name is used."""

    shape: tuple[int, ...]
    dtype: Any


class DALIGenericPeekableIterator(DALIGenericIterator):
    """`DALIGenericIterator` with `peek`, and a promise that all batches have the shapes and dtypes of the first one; DALI's
    class of the same name, of its `plugin.jax.clu`. Its methods may be called from several threads.

    Raises:
        ValueError: from `next` and `peek`: a batch has other shapes or dtypes than the first one.
    """

    def __init__(self, *arguments: Any, **named: Any):
        self._lock = threading.RLock()
        self._looked_at: dict[str, jax.Array] | None = None
        self._saw_end = False
        self._spec: dict[str, Any] | None = None
        self._spec_type = _array_spec()
        self._threads: concurrent.futures.ThreadPoolExecutor | None = None
        super().__init__(*arguments, **named)

    def __next__(self) -> dict[str, jax.Array]:
        with self._lock:
            if self._saw_end:
                self._saw_end = False
                raise StopIteration
            batch = self._looked_at if self._looked_at is not None else self._checked(super().__next__())
            self._looked_at = None
            return batch

    next = __next__

    def __iter__(self) -> DALIGenericPeekableIterator:
        with self._lock:
            self._saw_end = False
            super().__iter__()
            return self

    def peek(self) -> dict[str, jax.Array]:
        """The batch that comes next, which `next` then gives.

        Raises:
            StopIteration: the epoch is over; `next` says so once more.
            Exception: as `next`.
        """
        with self._lock:
            if self._saw_end:
                raise StopIteration
            if self._looked_at is None:
                try:
                    self._looked_at = self._checked(super().__next__())
                except StopIteration:
                    self._saw_end = True
                    raise
            return self._looked_at

    def peek_async(self) -> concurrent.futures.Future[dict[str, jax.Array]]:
        """A future of `peek`, made on a thread of its own, for which contexts such as `jax.enable_x64` do not hold. A `next`
        that does not wait for it may come first.
        """
        with self._lock:
            if self._threads is None:
                self._threads = concurrent.futures.ThreadPoolExecutor(1, "jaxdali-peek")
            return self._threads.submit(self._peek_for_future)

    def _peek_for_future(self) -> dict[str, jax.Array]:
        try:
            return self.peek()
        except StopIteration as end:
            # A future that raises StopIteration would end any generator that asks for it.
            raise IndexError("the epoch is over; next() raises StopIteration") from end

    def reset(self) -> None:
        with self._lock:
            if self._saw_end:
                self._saw_end = False
            elif not self._streams:
                self._looked_at = None
            super().reset()

    def checkpoints(self) -> list[bytes]:
        """As of `DALIGenericIterator`.

        Raises:
            StateError: a batch was looked at that `next` has not given yet; or checkpoints were not enabled.
        """
        with self._lock:
            if self._looked_at is not None or self._saw_end:
                raise StateError(
                    "a checkpoint is of what next() has given, but peek() has looked further: call next() first"
                )
            return super().checkpoints()

    @property
    def element_spec(self) -> dict[str, Any]:
        """Shape and dtype of every output, those of a batch: `clu.data.dataset_iterator.ArraySpec` where clu is installed,
        else `ArraySpec`. Looks at the first batch.
        """
        if self._spec is None:
            self.peek()
        assert self._spec is not None
        return self._spec

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
                    f"{found[name]}; a peekable iterator's are those of its first batch. Use DALIGenericIterator, or make "
                    "batches full"
                )
        return batch


def _array_spec() -> Any:
    try:
        from clu.data.dataset_iterator import ArraySpec as OfClu  # type: ignore[import-not-found]
    except ImportError:
        return ArraySpec
    return OfClu
