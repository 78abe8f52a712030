"""What the consumer's thread spends the time of its batches on."""

from __future__ import annotations

import dataclasses

__all__ = ["Waits"]


@dataclasses.dataclass
class Waits:
    """Seconds.

    Attributes:
        seconds: of the whole, see `Statistics`.
        source_s, decoder_s, device_s: of them those in which the consumer waited for sources, for images to be decoded,
            and for the device function.
        dispatch_s: of them those in which its thread started device functions; where one is new it traces and compiles.
        next_s: of them those in which it was in `next`, for any of these reasons; the others were its own.
    """

    seconds: float = 0.0
    source_s: float = 0.0
    decoder_s: float = 0.0
    device_s: float = 0.0
    dispatch_s: float = 0.0
    next_s: float = 0.0
