"""How many processes read samples where nobody said it."""

from __future__ import annotations

from ..cpus import usable_cpus
from ..source.kinds import MapSource
from ..source.stream_source import StreamSource

__all__ = ["default_workers"]

_MOST = 8
# Of a batch that one thread copies sooner than it tells workers what to copy: measured, it takes 0.1 ms.
_SMALL_BYTES = 1 << 20


def default_workers(source: MapSource | StreamSource) -> int:
    """As many as this process has CPUs, but 8 at most; none where the batches are rows of arrays in memory, and small."""
    if isinstance(source, MapSource) and source.direct() is not None:
        size = source.row_bytes
        if size is not None and size * source.sampler.local_batch_size <= _SMALL_BYTES:
            return 0
    return min(_MOST, usable_cpus())
