"""Files that are not JPEG: recognised by their first bytes and decoded with Pillow, or refused with a reason."""

from .decode import decode_to_rgb as decode_to_rgb
from .names import recognise as recognise
from .reasons import why_unsupported as why_unsupported

__all__ = ["decode_to_rgb", "recognise", "why_unsupported"]
