"""Image files: recognised by their first bytes, and decoded with Pillow or refused with a reason when they are read."""

from .decode import decode_pixels as decode_pixels
from .frames import COLORS as COLORS
from .frames import decode_frame as decode_frame
from .names import DECODED as DECODED
from .names import NAMES as NAMES
from .names import recognise as recognise
from .reasons import why_unsupported as why_unsupported

__all__ = ["COLORS", "DECODED", "NAMES", "decode_frame", "decode_pixels", "recognise", "why_unsupported"]
