"""The sizes of a feed, and the ring they need."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from jaxdali.errors import ConfigError
from .. import _host
from .slot_growth import apply_host_settings

__all__ = ["FeedOptions", "make_ring"]

# Address space per slot; no memory is allocated until it is written. Halved if address space is limited.
STRIDE = 1 << 34
# Sample counts have 31 bits, and so do the sizes of one sample here.
_LARGEST = 1 << 31


@dataclasses.dataclass(frozen=True, kw_only=True)
class FeedOptions:
    """The sizes of a feed.

    Attributes:
        batch_size: samples per batch.
        ahead: batches requested beyond those that the consumer is about to take.
        max_leased: batches that may be leased at once; further ones are copied out, so that their slots come free.
        chunks: number of pieces a batch is cut into.
        only: ids of the workers that get batches, in turn; empty: any worker.
        length: samples per epoch; None: the source says when it ends.
        sample_bytes: size of one sample of all outputs, to size the slots; they grow as needed.
        measured: whether `Feed.use` records what the outputs take.
    """

    batch_size: int
    ahead: int
    max_leased: int
    chunks: int
    only: Sequence[int] = ()
    length: int | None = None
    sample_bytes: int = 0
    measured: bool = False


def make_ring(options: FeedOptions, outputs: int, events: _host.Ring | None) -> _host.Ring:
    """Creates the ring of a feed.

    Args:
        outputs: number of outputs of the source.
        events: see `Feed`.

    Raises:
        ConfigError: there is no memory for batches of that size.
    """
    sizes = f"{options.batch_size} samples of {outputs} outputs"
    if options.sample_bytes:
        sizes += f", {options.sample_bytes} bytes each (bytes_per_sample_hint, bytes_per_sample)"
    if options.batch_size >= _LARGEST or options.sample_bytes * options.batch_size >= _LARGEST**2:
        raise ConfigError(f"batches of {sizes} are larger than any memory; lower batch_size")
    apply_host_settings()
    try:
        return _host.Ring.create(
            slots=max(options.ahead, 1) + options.max_leased,
            chunks=options.chunks,
            outputs=outputs,
            batch_size=options.batch_size,
            capacity=options.sample_bytes * options.batch_size,
            stride=STRIDE,
            events=events,
        )
    except _host.ShortOfMemory as error:
        raise ConfigError(f"there is no memory for batches of {sizes}: {error}") from error
