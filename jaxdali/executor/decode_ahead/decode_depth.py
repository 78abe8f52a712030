"""How many steps an engine is given beyond those that are finished."""

from __future__ import annotations

from collections.abc import Collection

__all__ = ["steps_ahead"]

# Images, where nobody says. The GPU's entropy decoder takes as long for one image as for thousands: it is given four groups
# of 2048 at once, while one is used and one is read.
_IMAGES_AHEAD = {"gpu": 12288}
_FEW_IMAGES_AHEAD = 1024

# Each step has a slot, and one of small images has still a slot of the smallest size.
_LEAST_STEPS, _MOST_STEPS = 2, 48


def steps_ahead(decode_ahead: int | None, batch_size: int, decoders: Collection[str]) -> int:
    """Steps that are given to an engine beyond those that are finished.

    Args:
        decode_ahead: images; None: enough for the decoders.
        decoders: in use, of `jaxdali.batch.DECODERS`.
    """
    if decode_ahead is None:
        images = max((_IMAGES_AHEAD.get(name, _FEW_IMAGES_AHEAD) for name in decoders), default=0)
        return min(max(-(-images // batch_size), _LEAST_STEPS), _MOST_STEPS) if images else 0
    return -(-decode_ahead // batch_size)
