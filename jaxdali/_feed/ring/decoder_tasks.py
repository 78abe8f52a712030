"""Gives feeds processes that decode the files which their sources store."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import _host
from .feed import Feed
from .file_decoders import FileDecoders
from .file_decoding import FileDecoding, Held
from .producer import Producer
from .served_source import ServedSource, most_decoders

__all__ = ["connect_decoders"]

# Nothing is stored in the slots of a ring of tasks.
_STRIDE = 1 << 16


def connect_decoders(feeds: Sequence[Feed], make_pool: Callable[..., Producer]) -> None:
    """Connects the feeds whose columns say so with a pool that decodes their files; it starts with the first file.

    Args:
        make_pool: makes the pool, of the tasks, `most`, the number of processes, and `beside`, the rings with the files.
    """
    wanted = [feed for feed in feeds if most_decoders([feed.served]) > 1]
    if not wanted:
        return
    most = most_decoders([feed.served for feed in wanted])
    tasks: list[ServedSource] = []
    for number, feed in enumerate(wanted):
        ring = _host.Ring.create(
            slots=feed.ring.slots,
            chunks=min(most, feed.options.batch_size),
            outputs=len(feed.columns),
            batch_size=feed.options.batch_size,
            capacity=0,
            stride=_STRIDE,
            events=tasks[0].ring if tasks else None,
        )
        decoding = FileDecoding(feed.served.source, feed.columns, len(wanted) + number)
        tasks.append(ServedSource(ring, decoding, decoding.columns))
    pool = make_pool(tasks, most=most, beside=[ServedSource(feed.ring, Held(), ()) for feed in wanted])
    for feed, task in zip(wanted, tasks, strict=True):
        feed.files = FileDecoders(feed.served, task, pool, feed.producer)
