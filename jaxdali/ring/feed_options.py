"""How large a feed is, and the ring of that size."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from .. import _host
from ..errors import ConfigError
from .buffers import apply_host_settings

__all__ = ["FeedOptions", "make_ring"]

# Address space a slot; nothing is allocated until it is written. Halved where it is limited.
STRIDE = 1 << 34
# Numbers of samples are of 31 bits, and so are sizes of one sample here.
_LARGEST = 1 << 31


@dataclasses.dataclass(frozen=True, kw_only=True)
class FeedOptions:
    """How large a feed is.

    Attributes:
        batch_size: samples of a batch.
        ahead: batches that are asked for beyond those that the consumer is about to take.
        held: batches that may be leased at once; further ones are copied out, so that the ring can turn.
        chunks: pieces that a batch is cut into.
        only: ids of the workers that get batches, round robin; empty: any worker.
        length: samples of an epoch; None: the source says when it ends.
        sample_bytes: of one sample of all outputs, to size the slots; they grow as needed.
        measured: what the outputs take is noted, in `Feed.use`.
    """

    batch_size: int
    ahead: int
    held: int
    chunks: int
    only: Sequence[int] = ()
    length: int | None = None
    sample_bytes: int = 0
    measured: bool = False


def make_ring(options: FeedOptions, outputs: int, events: _host.Ring | None) -> _host.Ring:
    """The ring of a feed.

    Args:
        outputs: how many the source has.
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
            slots=max(options.ahead, 1) + options.held,
            chunks=options.chunks,
            outputs=outputs,
            batch_size=options.batch_size,
            capacity=options.sample_bytes * options.batch_size,
            stride=STRIDE,
            events=events,
        )
    except _host.ShortOfMemory as error:
        raise ConfigError(f"there is no memory for batches of {sizes}: {error}") from error
