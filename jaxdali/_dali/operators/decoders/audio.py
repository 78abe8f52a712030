"""Decodes sound files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jaxdali._base.dtypes import FLOAT, INT16, INT32, DALIDataType
from jaxdali._feed.source.sounds import SoundReading, check_soundfile
from jaxdali.errors import ConfigError
from ...graph.call import Call, DataNode, Params
from ...graph.declarations import declare, operator_named
from ..argument_kinds import FLAG, NUMBER, Kind, numpy_dtype
from ..declaration import Input, Operator, Static
from .decoder_inputs import check_files

__all__ = ["DTYPE", "QUALITY", "audio"]

_DTYPES = (INT16, INT32, FLOAT)


def _dtype(word: str, value: object) -> DALIDataType:
    if not isinstance(value, DALIDataType) or value not in _DTYPES:
        raise ConfigError(f"{word} must be types.INT16, INT32 or FLOAT, got {value!r:.80}; fn.cast makes others")
    return value


def _least(least: float, most: float, what: str) -> Callable[[str, Any], float]:
    def read(word: str, value: float) -> float:
        found = NUMBER.read(word, value)
        if not least <= found <= most:
            raise ConfigError(f"{word} must be {what}, got {value!r:.80}")
        return found

    return read


DTYPE = Static(
    "dtype",
    Kind("DALIDataType", _dtype, (INT16, INT32)),
    FLOAT,
    "that of the signal: FLOAT from -1 to 1, INT16 or INT32",
)
QUALITY = Static(
    "quality",
    Kind("float", _least(0, 100, "a number from 0 to 100"), (25.0, 75.0)),
    50.0,
    "quality of resampling: 0 is a sinc of 3 lobes on either side, 50 of 16, 100 of 64",
)


def _check(display_name: str, inputs: Sequence[DataNode], params: Params, device: str | None) -> None:
    check_soundfile()
    check_files(display_name, inputs, params, device)


def _reading(call: Call) -> SoundReading:
    given = dict(call.params)
    return SoundReading(**{**given, "dtype": str(numpy_dtype(given["dtype"]))})


def _on_host(call: Call, operands: Sequence[Sequence[object]], _samples: int) -> list[list[Any]]:
    """Decodes files that a function between two programs made."""
    read = _reading(call)
    rows = [read(file) for file in operands[0]]
    return [[np.asarray(row[index]) for row in rows] for index in range(2)]


class _AudioDecoder(Operator):
    def add_to_graph(self, inputs: Sequence[object], arguments: Params) -> Any:
        rate = arguments.get("sample_rate")
        if not isinstance(rate, DataNode):
            return super().add_to_graph(inputs, arguments)
        # Workers know no nodes: they decode, and the host resamples once the rates are known.
        after = {name: arguments[name] for name in ("dtype", "quality") if name in arguments}
        own = {name: value for name, value in arguments.items() if name not in ("sample_rate", *after)}
        signals, rates = super().add_to_graph(inputs, own)
        to_rate: Any = operator_named("audio_resample")
        cast: Any = operator_named("cast")
        several = isinstance(signals, list)
        made = [
            to_rate(signal, in_rate=in_rate, out_rate=rate, **after)
            for signal, in_rate in zip(*((signals, rates) if several else ([signals], [rates])), strict=True)
        ]
        now = cast(rate, dtype=FLOAT)
        return [made, [now] * len(made)] if several else [made[0], now]


audio = declare(
    _AudioDecoder(
        name="decoders.audio",
        doc="""Decodes files of sound; DALI's `fn.decoders.audio`.

    WAV, FLAC, Ogg (Vorbis, Opus) and what else libsndfile reads. It wants `pip install 'jaxdali[audio]'`.

    Files are decoded where they are read: those of a reader, or of a source with `parallel=True`, in the workers. A file
    that cannot be decoded is a SourceError, which names it.
    """,
        inputs=[
            Input(
                "data",
                "files as `uint8[n]`: an output of `external_source`, of a reader or of `io.file.read`",
                takes="sounds",
            )
        ],
        params=[
            Static("downmix", FLAG, False, "average all channels into one"),
            DTYPE,
            Static(
                "sample_rate",
                Kind("float", _least(0, 1e9, "in Hz; 0: the file's"), (8000.0, 11025.0)),
                0.0,
                "sample rate of the signal, in Hz; by default the file's. If it is a node with one rate per sample, "
                "such as a draw, the host resamples what workers have decoded, see `fn.audio_resample`",
            ),
            QUALITY,
        ],
        devices=("cpu",),
        outputs=lambda _params: 2,
        returns="Two nodes: the signals, `[samples, channels]`, or with `downmix` `[samples]`; and their rates in Hz, "
        "`float32`.",
        raises={
            "BackendUnavailable": "soundfile is not installed",
            "GraphError": "`data` does not come straight from a source",
        },
        check=_check,
        reading=_reading,
        on_host=_on_host,
    )
)
