"""Files that are not JPEG: recognised by their first bytes and decoded with Pillow, or refused with a reason."""

from .decode import decode_pixels as decode_pixels
from .names import recognise as recognise
from .reasons import why_unsupported as why_unsupported

__all__ = ["decode_pixels", "recognise", "why_unsupported"]
