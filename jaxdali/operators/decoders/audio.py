"""Decodes files of sound."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ... import types
from ...errors import ConfigError
from ...graph.call import Call, DataNode
from ...graph.declared import declare
from ...source.sounds import SoundReading, check_soundfile
from ..kinds import FLAG, NUMBER, Kind, numpy_dtype
from ..record import Input, Operator, Static
from .files import check_files

__all__ = ["DTYPE", "QUALITY", "audio"]

_DTYPES = (types.INT16, types.INT32, types.FLOAT)


def _dtype(word: str, value: Any) -> types.DALIDataType:
    if not isinstance(value, types.DALIDataType) or value not in _DTYPES:
        raise ConfigError(f"{word} must be types.INT16, INT32 or FLOAT, got {value!r:.80}; fn.cast makes others")
    return value


def _least(least: float, most: float, what: str) -> Callable[[str, Any], float]:
    def read(word: str, value: Any) -> float:
        found = NUMBER.read(word, value)
        if not least <= found <= most:
            raise ConfigError(f"{word} must be {what}, got {value!r:.80}")
        return found

    return read


DTYPE = Static(
    "dtype",
    Kind("DALIDataType", _dtype, (types.INT16, types.INT32)),
    types.FLOAT,
    "of the signal: FLOAT from -1 to 1, INT16 or INT32",
)
QUALITY = Static(
    "quality",
    Kind("float", _least(0, 100, "a number from 0 to 100"), (25.0, 75.0)),
    50.0,
    "of another rate: 0 is a sinc of 3 lobes to either side, 50 of 16, 100 of 64",
)


def _check(spoken: str, inputs: Sequence[DataNode], params: Mapping[str, Any], device: str | None) -> None:
    check_soundfile()
    check_files(spoken, inputs, params, device)


def _reading(call: Call) -> SoundReading:
    given = dict(call.params)
    return SoundReading(**{**given, "dtype": str(numpy_dtype(given["dtype"]))})


audio = declare(
    Operator(
        name="decoders.audio",
        doc="""Decodes files of sound: WAV, FLAC, Ogg (Vorbis, Opus) and what else libsndfile reads; DALI's
    `fn.decoders.audio`. It wants `pip install 'jaxdali[audio]'`.

    Files are decoded where they are read: those of a reader, or of a source with `parallel=True`, in the workers. A file
    that cannot be decoded is a SourceError, which names it.
    """,
        inputs=[Input("data", "files as `uint8[n]`: an output of `external_source` or of a reader", takes="sounds")],
        params=[
            Static("downmix", FLAG, False, "channels become one, their average"),
            DTYPE,
            Static(
                "sample_rate",
                Kind("float", _least(0, 1e9, "in Hz; 0: as in the file"), (8000.0, 11025.0)),
                0.0,
                "of the signal, in Hz; by default the file's",
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
    )
)
