"""How the consumer's thread spends its time while it works through batches."""

from __future__ import annotations

import dataclasses

__all__ = ["Waits"]


@dataclasses.dataclass
class Waits:
    """Durations in seconds.

    Attributes:
        seconds: the total, see `Statistics`.
        source_s, decoder_s, device_s: parts of the total that the consumer waited for sources, for images to be
            decoded, and for the device function.
        dispatch_s: the part in which its thread started device functions, including tracing and compiling of new ones.
        next_s: the part that it spent in `next`, for any of these reasons; the rest was its own.
    """

    seconds: float = 0.0
    source_s: float = 0.0
    decoder_s: float = 0.0
    device_s: float = 0.0
    dispatch_s: float = 0.0
    next_s: float = 0.0
