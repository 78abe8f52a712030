"""Why a file is UNSUPPORTED, and what its owner can do."""

from __future__ import annotations

import contextlib

from .fields import EndsEarly
from .format_names import DECODED, NAMES, Content, recognise
from .jpeg2000 import Jpeg2000Damaged, Jpeg2000File
from .tiff import BITS_PER_SAMPLE, TiffDirectory

__all__ = ["why_unsupported"]

# Of PNM files that are refused, by their second byte: plain colors of 16 bits, and floating point.
_PNM_BITS = {b"3": 16, b"F": 32, b"f": 32}
_SAMPLE_FORMAT, _FLOATING = 339, 3


def why_unsupported(data: Content) -> str | None:
    """Returns what to tell the user of an UNSUPPORTED file, from its header; None if nothing more is known."""
    kind = recognise(data)
    if kind is None or kind == "jpeg":
        return None
    name, content = NAMES[kind], bytes(data)
    if kind not in DECODED:
        return (
            f"{name} is not supported; convert it, for example to PNG, or decode it in the source and return an array"
        )
    if kind == "tiff" and TiffDirectory(content).largest(_SAMPLE_FORMAT) == _FLOATING:
        return (
            "a TIFF of floating-point numbers other than one channel of 32 bits, from black to white and without NaN; "
            "decode it in the source and return an array"
        )
    bits = _bits_per_sample(kind, content)
    if bits > 8:
        return (
            f"{name} of {bits} bits a channel, of a kind that is not read; decode it in the source and return an array, "
            "for example numpy.asarray(PIL.Image.open(path))"
        )
    if kind == "avif":
        return "Pillow is older than 11.3, or was built without libavif: pip install -U pillow"
    return f"a variant of {name} that is not read; convert it, for example to PNG"


def _bits_per_sample(kind: str, content: bytes) -> int:
    if kind == "png" and content[12:16] == b"IHDR" and len(content) > 24:
        return content[24]
    if kind == "pnm":
        return _PNM_BITS.get(content[1:2], 0)
    if kind == "jpeg2000":
        with contextlib.suppress(Jpeg2000Damaged, EndsEarly):
            return Jpeg2000File(content).bits
    return TiffDirectory(content).largest(BITS_PER_SAMPLE) if kind == "tiff" else 0
