"""Why a file is UNSUPPORTED, and what its owner can do."""

from __future__ import annotations

from .format_names import DECODED, NAMES, Content, recognise
from .tiff import BITS_PER_SAMPLE, TiffDirectory

__all__ = ["why_unsupported"]

# Of PNM files that are refused, by their second byte: colors of 16 bits and floating point.
_PNM_BITS = {b"3": 16, b"6": 16, b"F": 32, b"f": 32}


def why_unsupported(data: Content) -> str | None:
    """Returns what to tell the user of an UNSUPPORTED file, from its header; None if nothing more is known."""
    kind = recognise(data)
    if kind is None or kind == "jpeg":
        return None
    name = NAMES[kind]
    if kind not in DECODED:
        return (
            f"{name} is not supported; convert it, for example to PNG, or decode it in the source and return an array"
        )
    bits = _bits_per_sample(kind, bytes(data))
    if bits > 8:
        return (
            f"a {name} of {bits} bits a channel, of a kind that is not read; decode it in the source and return an array, "
            "for example numpy.asarray(PIL.Image.open(path))"
        )
    return f"a variant of {name} that is not read; convert it, for example to PNG"


def _bits_per_sample(kind: str, content: bytes) -> int:
    if kind == "png" and content[12:16] == b"IHDR" and len(content) > 24:
        return content[24]
    if kind == "pnm":
        return _PNM_BITS.get(content[1:2], 0)
    return TiffDirectory(content).largest(BITS_PER_SAMPLE) if kind == "tiff" else 0
