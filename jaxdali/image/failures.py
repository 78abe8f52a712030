"""What becomes of images that cannot be decoded: an error, zeros that the caller hears of, or zeros that are noted."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from jaxdali.errors import ConfigError

__all__ = ["FailureLog", "FailureNotes", "deliver", "raises_on_error"]


class FailureLog:
    """The statuses of all images that a program is given; made, and read, where the program is traced.

    It is static in batches, so that these can be results of `jit`, `cond` and `scan`, of which a mutable array cannot be.
    Each equals only itself: what was traced for one program is not taken for another.

    Attributes:
        size: the number of images, `M`; as a place it stands for no image.
    """

    def __init__(self, size: int):
        self.size = size
        self._statuses = jax.new_ref(jnp.zeros(size, jnp.int32))

    def record(self, places: jax.Array, status: jax.Array) -> None:
        """Adds what became of some of them; what is known of an image stays.

        Args:
            places: `int32[N]`, of each image its place in the log.
            status: `int32[N]`, of each image a `jaxdali.batch.Status`.
        """
        # Not written to `places` themselves: one that is named twice, with two windows, would keep either status.
        added = jnp.zeros(self.size, jnp.int32).at[places].max(status, mode="drop")
        known = self._statuses[...]
        self._statuses[...] = jnp.where(known != 0, known, added)

    def close(self) -> jax.Array:
        """`int32[M]`, the first failure of each image. Nothing can be recorded any more: JAX's caches keep this object,
        which shall not keep what was traced.
        """
        statuses = self._statuses[...]
        del self._statuses
        return statuses


@functools.partial(jax.tree_util.register_dataclass, data_fields=("places",), meta_fields=("log",))
@dataclasses.dataclass(frozen=True, eq=False)
class FailureNotes:
    """Where decoding notes what became of the `N` images of a batch. A pytree; `log` is static.

    Attributes:
        places: `int32[N]`, of each image its place in the log; `log.size` for an image that is not in it.
        log: of the program that is traced.
    """

    places: Any
    log: FailureLog

    def record(self, status: jax.Array) -> None:
        """Adds what became of the images: `int32[N]`.

        Raises:
            ConfigError: they are others than the images of the notes.
        """
        if self.places.shape != status.shape:
            raise ConfigError(
                f"the batch has {status.shape[0]} images, but its failures are noted for {self.places.shape[0]}; choose "
                "images with batch.take(indices) or batch[start:stop], which keep both together."
            )
        self.log.record(self.places, status)

    def take(self, indices: ArrayLike) -> FailureNotes:
        """Of a part of the images; an index out of range stands for none."""
        places = jnp.take(self.places, indices, axis=0, mode="fill", fill_value=self.log.size)
        return FailureNotes(places, self.log)

    @staticmethod
    def concatenate(notes: Sequence[FailureNotes | None], counts: Sequence[int]) -> FailureNotes | None:
        """Of batches of `counts` images that become one; of those without notes nothing is noted.

        Raises:
            ConfigError: they belong to two programs.
        """
        logs = {one.log for one in notes if one is not None}
        if not logs:
            return None
        if len(logs) > 1:
            raise ConfigError("concatenate got batches of two loaders, but each notes the failures of its own.")
        (log,) = logs
        places = [
            jnp.full(count, log.size, jnp.int32) if one is None else one.places
            for one, count in zip(notes, counts, strict=True)
        ]
        return FailureNotes(jnp.concatenate(places), log)


def raises_on_error(notes: FailureNotes | None, on_error: str | None) -> bool:
    """Whether a bad image fails the call. None: unless it can be noted.

    Raises:
        ConfigError: `on_error` is neither "raise" nor "zeros" nor None.
    """
    if on_error not in (None, "raise", "zeros"):
        raise ConfigError(f"on_error must be 'raise' or 'zeros', got {on_error!r}")
    return on_error == "raise" or (on_error is None and notes is None)


def deliver(notes: FailureNotes | None, on_error: str | None, images: jax.Array, status: jax.Array) -> Any:
    """What a call returns: for "zeros" a pair, the images and `int32[N]`; else the images, None noting what failed."""
    if on_error == "zeros":
        return images, status
    if on_error is None and notes is not None:
        notes.record(status)
    return images
