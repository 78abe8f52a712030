"""Who decodes a Loader's images before its function wants them. This file loads jax."""

from __future__ import annotations

from collections.abc import Sequence

from ..aliases import Device
from ..batch import DECODERS, DEFAULT_DECODER
from ..executor.decode_ahead.ahead_decoder import AheadDecoder, DecodeSettings
from ..executor.decode_ahead.split_decoder import SplitDecoder

__all__ = ["make_ahead_decoder"]


def make_ahead_decoder(
    devices: Sequence[Device],
    encoded: Sequence[int],
    decodings: Sequence[tuple[int, bool]],
    decode_ahead: int | None,
    decode_memory: int | None,
) -> AheadDecoder | SplitDecoder | None:
    """The engine of the devices that compute; None: they have none, or nothing is to be decoded.

    Args:
        encoded: indices of the columns of files.
        decodings: that the function asks for, see `noted_decodings`, of whichever column; none: it was not seen to.
        decode_ahead, decode_memory: as of `Loader`.
    """
    if devices[0].platform == "cpu" or not encoded or decode_ahead == 0:
        return None
    # Of several, each column's own are seen from what the function does; where nothing is known, what most do.
    wanted = [DecodeSettings(*decoding) for decoding in decodings] or [
        DecodeSettings(DECODERS.index(DEFAULT_DECODER), True)
    ]
    settings = {index: wanted for index in encoded}
    if len(devices) == 1:
        return AheadDecoder(devices[0], settings, decode_memory)
    return SplitDecoder(devices, settings, decode_memory)
