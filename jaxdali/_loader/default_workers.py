"""How many processes read samples if the user did not say."""

from __future__ import annotations

from jaxdali._base.cpus import decode_processes, usable_cpus
from jaxdali._feed.source.map_source import MapSource
from .builder import Builder

__all__ = ["use_default_workers"]

# So many read what one GPU decodes.
_MOST_FOR_EACH = 8
# Up to this size of a batch one thread copies faster than it can tell workers what to copy: 0.1 ms, as measured.
_SMALL_BYTES = 1 << 20


def use_default_workers(builder: Builder) -> int:
    """Returns the number of CPUs of this process, at most 8 for each GPU of its own that computes batches, or 8 if none
    does; 0 if batches are small, and rows of arrays in memory. If workers have to decode, the builder will have as many
    as `decode_processes` says.
    """
    source = builder.source
    if isinstance(source, MapSource):
        if source.direct() is not None:
            size = source.row_bytes
            if size is not None and size * source.sampler.local_batch_size <= _SMALL_BYTES:
                return 0
        source.spreads, builder.most_workers = True, decode_processes()
    gpus = sum(device.platform != "cpu" for device in builder.output_sharding.devices)
    return min(_MOST_FOR_EACH * max(gpus, 1), usable_cpus())
