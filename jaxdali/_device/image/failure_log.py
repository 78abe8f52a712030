"""What happens if images cannot be decoded: an error, zeros that the call reports, or zeros that are logged."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from jaxdali.errors import ConfigError
from .decoding_log import log_presence

__all__ = ["FailureLog", "LoggedFailures", "deliver", "raises_on_error"]


class FailureLog:
    """The statuses of all images that a program is given; created and read where the program is traced.

    It is static in batches, so that these can be results of `jit`, `cond` and `scan`, which a mutable array cannot be.
    Each log equals only itself, so that JAX does not reuse for one program what was traced for another.

    Attributes:
        size: the number of images, `M`; used as a place, it stands for no image.
    """

    def __init__(self, size: int):
        self.size = size
        self._statuses = jax.new_ref(jnp.zeros(size, jnp.int32))

    def record(self, places: jax.Array, status: jax.Array) -> None:
        """Records the statuses of some images; the first failure of an image is kept.

        Args:
            places: `int32[N]`, the place of each image in the log.
            status: `int32[N]`, a `jaxdali.image.Status` for each image.
        """
        # Not written to `places` directly: if one occurs twice, with two windows, either status could win.
        added = jnp.zeros(self.size, jnp.int32).at[places].max(status, mode="drop")
        known = self._statuses[...]
        self._statuses[...] = jnp.where(known != 0, known, added)

    def close(self) -> jax.Array:
        """Returns `int32[M]`, the first failure of each image, and ends recording. JAX's caches keep this object alive,
        and it must not keep traced values alive.
        """
        statuses = self._statuses[...]
        del self._statuses
        return statuses


@functools.partial(jax.tree_util.register_dataclass, data_fields=("places",), meta_fields=("log",))
@dataclasses.dataclass(frozen=True, eq=False)
class LoggedFailures:
    """Where decoding logs the statuses of a batch's `N` images. A pytree; `log` is static.

    Attributes:
        places: `int32[N]`, the place of each image in the log; `log.size` for an image that is not in it.
        log: that of the program being traced.
    """

    places: Any
    log: FailureLog

    def record(self, status: jax.Array) -> None:
        """Records the statuses of the images: `int32[N]`.

        Raises:
            ConfigError: their number differs from that of the logged images.
        """
        if self.places.shape != status.shape:
            raise ConfigError(
                f"the batch has {status.shape[0]} images, but its failures are noted for {self.places.shape[0]}; choose "
                "images with batch.take(indices) or batch[start:stop], which keep both together."
            )
        self.log.record(self.places, status)

    def take(self, indices: ArrayLike) -> LoggedFailures:
        """Those of selected images; an index out of range stands for no image."""
        places = jnp.take(self.places, indices, axis=0, mode="fill", fill_value=self.log.size)
        return LoggedFailures(places, self.log)

    def ravel(self) -> LoggedFailures:
        """Those of `[N, T]` images as those of `N * T`."""
        return LoggedFailures(self.places.reshape(-1), self.log)

    @staticmethod
    def stack(failures: Sequence[LoggedFailures | None], count: int) -> LoggedFailures | None:
        """Those of batches of `count` images each that become one of `[count, T]`. Raises as `concatenate` does."""
        joined = LoggedFailures.concatenate(failures, [count] * len(failures))
        return None if joined is None else LoggedFailures(joined.places.reshape(-1, count).T, joined.log)

    @staticmethod
    def concatenate(failures: Sequence[LoggedFailures | None], counts: Sequence[int]) -> LoggedFailures | None:
        """Those of joined batches of `counts` images; for batches without any nothing is recorded.

        Raises:
            ConfigError: they belong to two programs.
        """
        logs = {one.log for one in failures if one is not None}
        if not logs:
            return None
        if len(logs) > 1:
            raise ConfigError("concatenate got batches of two loaders, but each notes the failures of its own.")
        (log,) = logs
        places = [
            jnp.full(count, log.size, jnp.int32) if one is None else one.places
            for one, count in zip(failures, counts, strict=True)
        ]
        return LoggedFailures(jnp.concatenate(places), log)


def raises_on_error(failures: LoggedFailures | None, on_error: str | None) -> bool:
    """Whether a bad image fails the call. With `on_error` None, it does unless it can be logged.

    Raises:
        ConfigError: `on_error` is neither "raise" nor "zeros" nor None.
    """
    if on_error not in (None, "raise", "zeros"):
        raise ConfigError(f"on_error must be 'raise' or 'zeros', got {on_error!r}")
    return on_error == "raise" or (on_error is None and failures is None)


def deliver(failures: LoggedFailures | None, on_error: str | None, images: jax.Array, status: jax.Array) -> Any:
    """What a call returns: for "zeros" the images and `int32[N]`; else the images, logging failures for None."""
    if on_error == "zeros":
        log_presence()
        return images, status
    if on_error is None and failures is not None:
        failures.record(status)
    return images
