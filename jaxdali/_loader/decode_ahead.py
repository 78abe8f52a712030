"""Chooses what decodes a Loader's images before its function needs them. This file loads jax."""

from __future__ import annotations

from collections.abc import Sequence

from jaxdali._base.aliases import Device
from jaxdali._base.batch import DECODERS, DEFAULT_DECODER
from jaxdali._run.executor.decode_ahead.ahead_decoder import AheadDecoder, DecodeSettings
from jaxdali._run.executor.decode_ahead.split_decoder import SplitDecoder

__all__ = ["make_ahead_decoder"]


def make_ahead_decoder(
    devices: Sequence[Device],
    encoded: Sequence[int],
    decodings: Sequence[tuple[int, bool]],
    decode_ahead: int | None,
    decode_memory: int | None,
) -> AheadDecoder | SplitDecoder | None:
    """Returns a decoder for the devices that compute; None if they have no engine, or there is nothing to decode.

    Args:
        encoded: indices of the columns of files.
        decodings: those that the function asks for in any column, see `logged_decodings`; empty if it was not traced.
        decode_ahead, decode_memory: as for `Loader`.
    """
    if devices[0].platform == "cpu" or not encoded or decode_ahead == 0:
        return None
    # With several columns, each one's own settings are learned from what the function does. Without any: the usual
    # ones.
    wanted = [DecodeSettings(*decoding) for decoding in decodings] or [
        DecodeSettings(DECODERS.index(DEFAULT_DECODER), True)
    ]
    settings = {index: wanted for index in encoded}
    if len(devices) == 1:
        return AheadDecoder(devices[0], settings, decode_memory)
    return SplitDecoder(devices, settings, decode_memory)
