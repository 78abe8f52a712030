"""Resamples signals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from jaxdali._base.dtypes import FLOAT, INT8, INT16, INT32, UINT8, UINT16, UINT32, DALIDataType
from jaxdali._feed.source.sounds import of_unit_floats, resample_to, unit_floats
from jaxdali.errors import ConfigError, SourceDataError
from ...graph.call import Call, DataNode, MutableParams, Params
from ...graph.declarations import declare
from ..argument_kinds import NUMBER, Kind, integer, numpy_dtype
from ..declaration import Input, Operator, PerSample, Static
from ..decoders.audio import QUALITY

__all__ = ["audio_resample"]

Samples = Sequence[np.ndarray]

_DTYPES = (INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT)


def _dtype(word: str, value: object) -> DALIDataType:
    if not isinstance(value, DALIDataType) or value not in _DTYPES:
        names = ", ".join(f"types.{one.name}" for one in _DTYPES)
        raise ConfigError(f"{word} must be one of {names}, got {value!r:.80}; fn.cast makes others")
    return value


def _above_zero(word: str, value: object) -> float:
    found = NUMBER.read(word, value)
    if not 0 <= found < math.inf:
        raise ConfigError(f"{word} must be a number, at least 0, got {value!r:.80}")
    return found


_RATE = Kind("float", _above_zero, (8000.0, 11025.0))
_RATIO = Kind("float", _above_zero, (0.5, 0.25))


def _prepare(params: MutableParams) -> MutableParams:
    given = [name for name in ("in_rate", "out_rate", "scale", "out_length") if params[name] is not None]
    if given not in (["in_rate", "out_rate"], ["scale"], ["out_length"]):
        raise ConfigError(
            f"fn.audio_resample expects in_rate= and out_rate=, or scale=, or out_length=; got {', '.join(given) or 'none'}"
        )
    return params


def _given(params: Params, operands: Iterator[Samples], samples: int) -> dict[str, list[Any]]:
    """Returns each argument's values, one per sample."""
    found = {}
    for name, value in params.items():
        several = [one.item() for one in next(operands)] if isinstance(value, DataNode) else [value] * samples
        # As in DALI, the numbers are 32-bit floats, which may change a length by one.
        found[name] = [float(np.float32(one)) if isinstance(one, float) else one for one in several]
    return found


def _call(call: Call, operands: Sequence[Samples], samples: int) -> list[list[np.ndarray]]:
    signals, *others = operands
    given = _given(call.params, iter(others), samples)
    made = []
    for number, signal in enumerate(signals):
        own = {name: values[number] for name, values in given.items()}
        try:
            made.append(_resampled(signal, **own))
        except SourceDataError as error:
            raise SourceDataError(f"sample {number} of {call.description}: {error}") from None
    return [made]


def _resampled(
    signal: np.ndarray, in_rate: Any, out_rate: Any, scale: Any, out_length: Any, dtype: Any, quality: float
) -> np.ndarray:
    if signal.ndim not in (1, 2):
        raise SourceDataError(f"signals must be [samples] or [samples, channels], got {signal.shape}")
    if signal.dtype.name not in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "float32"):
        raise SourceDataError(
            f"signals must be integers of up to 32 bits or FLOAT, got {signal.dtype}; convert them with fn.cast"
        )
    if out_length is not None:
        length, step = int(out_length), len(signal) / max(int(out_length), 1)
    else:
        scale = scale if scale is not None else out_rate / in_rate if in_rate > 0 else math.nan
        if not 0 <= scale < math.inf:
            raise SourceDataError(f"scale={scale}, in_rate={in_rate}, out_rate={out_rate}; expected rates above 0")
        length, step = math.ceil(len(signal) * scale), 1 / scale if scale else 0.0
    if length < 0:
        raise SourceDataError(f"out_length={out_length}; expected at least 0")
    target = signal.dtype if dtype is None else np.dtype(numpy_dtype(dtype))
    if not length or not len(signal):
        return np.zeros((length, *signal.shape[1:]), target)
    return of_unit_floats(resample_to(unit_floats(signal, target), length, step, quality), target)


audio_resample = declare(
    Operator(
        name="audio_resample",
        doc="""Resamples signals to another rate, by a sinc in a Hann window; DALI's `fn.audio_resample`.

    How long a signal becomes may depend on data, so it is computed on the host, between two programs of the device: every
    batch comes to the host there. Rates that are known beforehand belong in `fn.decoders.audio(sample_rate=)`, whose workers
    do it.
    """,
        inputs=[
            Input(
                "data",
                "signals, `[samples]` or `[samples, channels]`: FLOAT, or integers of up to 32 bits",
                takes="signals",
            )
        ],
        params=[
            Static(
                "dtype",
                Kind("DALIDataType", _dtype, (INT16, UINT8)),
                None,
                "that of the output: integers of up to 32 bits or FLOAT; by default the input's. 1 in FLOAT "
                "corresponds to the largest number of an integer type, and -1 to the smallest of an unsigned one",
            ),
            PerSample("in_rate", None, "sample rate of the input, in any unit; goes with `out_rate`", _RATE),
            PerSample("out_rate", None, "sample rate of the output, in the same unit", _RATE),
            PerSample("scale", None, "the ratio of the rates, instead of them", _RATIO),
            PerSample("out_length", None, "samples of the output, instead of a rate", integer(0, (1 << 31) - 1)),
            QUALITY,
        ],
        devices=("cpu",),
        returns="A node: of n samples `ceil(n * out_rate / in_rate)`, `ceil(n * scale)`, or `out_length`. Beyond its ends a "
        "signal is 0; what becomes an integer without sign is resampled as one.",
        raises={"SourceDataError": "a rate is not above 0; when the batch is handed out"},
        prepare=_prepare,
        on_host=_call,
    )
)
