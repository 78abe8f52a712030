"""An iterator whose next batch can be looked at before it is taken."""

from __future__ import annotations

import concurrent.futures
from typing import TYPE_CHECKING, Any

import numpy as np

from .iterator import DALIGenericIterator
from .lookahead import ArraySpec as ArraySpec
from .lookahead import Looks

if TYPE_CHECKING:
    import jax

__all__ = ["ArraySpec", "DALIGenericPeekableIterator"]


class DALIGenericPeekableIterator(DALIGenericIterator):
    """`DALIGenericIterator` with `peek`, and a promise that all batches have the shapes and dtypes of the first one; DALI's
    class of the same name, of its `plugin.jax.clu`. Its methods may be called from several threads.

    Raises:
        ValueError: from `next` and `peek`: a batch has other shapes or dtypes than the first one.
    """

    _jaxdali: Looks
    _jaxdali_made_of = Looks

    def close(self) -> None:
        """As of `DALIGenericIterator`. Futures of looks that are not begun are cancelled, and the thread of `peek_async`
        ends.
        """
        self._jaxdali.close()

    def peek(self) -> dict[str, jax.Array]:
        """The batch that comes next, which `next` then gives.

        Raises:
            StopIteration: the epoch is over; `next` says so once more.
            StateError: the iterator is closed.
            Exception: as `next`.
        """
        return self._jaxdali.peek()

    def peek_async(self) -> concurrent.futures.Future[dict[str, jax.Array]]:
        """A future of `peek`, made on a thread of its own, for which contexts such as `jax.enable_x64` do not hold. A `next`
        that does not wait for it may come first. `close` ends the thread.

        Raises:
            StateError: the iterator is closed.
        """
        return self._jaxdali.peek_async()

    def checkpoints(self) -> list[bytes]:
        """As of `DALIGenericIterator`.

        Raises:
            StateError: a batch was looked at that `next` has not given yet; or checkpoints were not enabled.
        """
        return self._jaxdali.checkpoints()

    @property
    def element_spec(self) -> dict[str, Any]:
        """Shape and dtype of every output, those of a batch: `clu.data.dataset_iterator.ArraySpec` where clu is installed,
        else `ArraySpec`. Looks at the first batch.
        """
        return self._jaxdali.element_spec

    @property
    def is_nonpadding(self) -> np.ndarray | jax.Array:
        """Which rows of the batch that `next` gave last are samples of its epoch, `bool[N]`; the others complete the batch.
        With `sharding` it is a global array, cut like the outputs along their first axis; else a NumPy array, of several
        pipelines one after the other: `bool[pipelines * N]`.

        Each sample comes once under it where shards end with the epoch: with FILL and `pad_last_batch`, or a source's
        `__len__`. Without `pad_last_batch`, FILL completes the last batch with samples of the next epoch, which then lacks
        them.

        Raises:
            StateError: `next` has given nothing yet; an epoch began with what FILL had read ahead in the one before; or it
                is not known how several pipelines share `size`.
        """
        return self._jaxdali.is_nonpadding
