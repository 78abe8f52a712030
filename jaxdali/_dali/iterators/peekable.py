"""An iterator whose next batch can be peeked at before it is taken."""

from __future__ import annotations

import concurrent.futures
from typing import TYPE_CHECKING, Any

import numpy as np

from .iterator import DALIGenericIterator
from .lookahead import ArraySpec as ArraySpec
from .lookahead import PeekableBatches

if TYPE_CHECKING:
    import jax
else:
    from jaxdali._run.lazy_jax import jax

__all__ = ["ArraySpec", "DALIGenericPeekableIterator"]


class DALIGenericPeekableIterator(DALIGenericIterator):
    """`DALIGenericIterator` with `peek`, which promises that all batches have the shapes and dtypes of the first one;
    DALI's class of the same name in `plugin.jax.clu`. Its methods may be called from several threads.

    Raises:
        ValueError: from `next` and `peek`: a batch has other shapes or dtypes than the first one.
    """

    _jaxdali: PeekableBatches
    _jaxdali_made_of = PeekableBatches

    def close(self) -> None:
        """As `DALIGenericIterator.close`. Cancels futures whose peek has not begun, and ends the thread of
        `peek_async`.
        """
        self._jaxdali.close()

    def peek(self) -> dict[str, jax.Array]:
        """Returns the next batch without taking it; `next` then returns it.

        Raises:
            StopIteration: the epoch is over; `next` raises it once more.
            StateError: the iterator is closed.
            Exception: as `next`.
        """
        return self._jaxdali.peek()

    def peek_async(self) -> concurrent.futures.Future[dict[str, jax.Array]]:
        """Returns a future of `peek`, which runs on its own thread, where contexts such as `jax.enable_x64` do not
        apply. A `next` that does not wait for it may come first. `close` ends the thread.

        Raises:
            StateError: the iterator is closed.
        """
        return self._jaxdali.peek_async()

    def checkpoints(self) -> list[bytes]:
        """As `DALIGenericIterator.checkpoints`.

        Raises:
            StateError: a batch was peeked at that `next` has not returned yet.
            ConfigError: checkpoints were not enabled.
        """
        return self._jaxdali.checkpoints()

    @property
    def element_spec(self) -> dict[str, Any]:
        """Shape and dtype of each output of a batch: `clu.data.dataset_iterator.ArraySpec` if clu is installed, else
        `ArraySpec`. Peeks at the first batch.
        """
        return self._jaxdali.element_spec

    @property
    def is_nonpadding(self) -> np.ndarray | jax.Array:
        """Which rows of the batch that `next` returned last are samples of its epoch, `bool[N]`; the others complete
        the batch. With `sharding` it is a global array, cut like the outputs along their first axis; else a NumPy
        array, which has several pipelines one after the other: `bool[pipelines * N]`.

        Every sample is marked exactly once if shards end with the epoch: with FILL and `pad_last_batch`, or a source's
        `__len__`. Without `pad_last_batch`, FILL completes the last batch with samples of the next epoch, which then
        lacks them.

        Raises:
            StateError: `next` has returned nothing yet; an epoch began with what FILL had read ahead in the one before;
                or it is not known how several pipelines share `size`.
        """
        return self._jaxdali.is_nonpadding
