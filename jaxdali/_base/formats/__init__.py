"""Image files: recognised by their first bytes, and decoded or refused with a reason when they are read."""

from .format_names import DECODED as DECODED
from .format_names import NAMES as NAMES
from .format_names import NATIVE as NATIVE
from .format_names import recognise as recognise
from .image_frames import COLORS as COLORS
from .image_frames import decode_frame as decode_frame
from .pixel_decoding import decode_pixels as decode_pixels
from .reasons import why_unsupported as why_unsupported

__all__ = ["COLORS", "DECODED", "NAMES", "NATIVE", "decode_frame", "decode_pixels", "recognise", "why_unsupported"]
