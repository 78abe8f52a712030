"""How many steps an engine gets beyond those that are finished.

In come the number of images that the user gave, the batch size, and the decoders in use. Without a number, the decoder
that wants most decides, within limits on steps. Out goes a number of steps, rounded up; sources are asked for so many
more. It relies on nothing else.
"""

from __future__ import annotations

from collections.abc import Collection

__all__ = ["CLIPS_AHEAD", "steps_ahead"]

# Batches whose clips of videos a GPU decodes before they are dispatched.
CLIPS_AHEAD = 2

# Default number of images. The GPU's entropy decoder takes as long for one image as for thousands: it gets four groups
# of 2048 at once, while one is being used and one is being read. Our own kernels get several groups of 256: one with
# progressive files takes long, while others are decoded beside it.
_IMAGES_AHEAD = {"gpu": 12288, "cuda": 1536}
_FEW_IMAGES_AHEAD = 1024

# Each step needs a slot, and even a step of small images takes a slot of the minimum size.
_LEAST_STEPS, _MOST_STEPS = 2, 48


def steps_ahead(decode_ahead: int | None, batch_size: int, decoders: Collection[str]) -> int:
    """Returns how many steps an engine gets beyond those that are finished.

    Args:
        decode_ahead: number of images; None: enough for the decoders.
        decoders: those in use, names from `jaxdali._base.batch.DECODERS`.
    """
    if decode_ahead is None:
        images = max((_IMAGES_AHEAD.get(name, _FEW_IMAGES_AHEAD) for name in decoders), default=0)
        return min(max(-(-images // batch_size), _LEAST_STEPS), _MOST_STEPS) if images else 0
    return -(-decode_ahead // batch_size)
