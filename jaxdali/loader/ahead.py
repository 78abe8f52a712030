"""Who decodes a Loader's images before its function wants them. This file loads jax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..batch import DECODERS, DEFAULT_DECODER
from ..executor.ahead import AheadDecoder, DecodeSettings
from ..executor.ahead_parts import SplitDecoder

__all__ = ["make_ahead_decoder"]


def make_ahead_decoder(
    devices: Sequence[Any], encoded: Sequence[int], decode_ahead: int | None, decode_memory: int | None
) -> AheadDecoder | SplitDecoder | None:
    """The engine of the devices that compute; None: they have none, or nothing is to be decoded.

    Args:
        encoded: indices of the columns of files.
        decode_ahead, decode_memory: as of `Loader`.
    """
    if devices[0].platform == "cpu" or not encoded or decode_ahead == 0:
        return None
    # What the function decodes with is seen from what it does; until then, what most do.
    usual = DecodeSettings(DECODERS.index(DEFAULT_DECODER), True)
    settings = {index: [usual] for index in encoded}
    if len(devices) == 1:
        return AheadDecoder(devices[0], settings, decode_memory)
    return SplitDecoder(devices, settings, decode_memory)
