"""Reads sounds and their transcripts."""

from __future__ import annotations

import numpy as np

from jaxdali._feed.source.nemo import VALUES, NemoASR
from ...graph.call import MutableParams, Params
from ...graph.declarations import declare
from ..argument_kinds import FLAG, NUMBER, PATH, numpy_dtype, several
from ..declaration import REQUIRED, Old, Operator, Param, Static
from ..decoders.audio import DTYPE, QUALITY
from .reader_params import ACCEPTED, READING, SHARDING, caching, describe_reader, hints, reader_spec
from .reader_spec import ReaderSpec

__all__ = ["nemo_asr_reader"]

_PARAMS: tuple[Param, ...] = (
    Static(
        "manifest_filepaths",
        several(PATH),
        REQUIRED,
        "paths of NeMo manifests. Each line is JSON for one sample: `audio_filepath`, optionally `duration` and "
        "`offset` of the part to read, in seconds, and optionally `text`. Paths are relative to the current folder. "
        "Lines without a path are skipped",
    ),
    Static("read_sample_rate", FLAG, True, "also return the sample rates of the files, regardless of `sample_rate`"),
    Static("read_text", FLAG, True, "also return the texts"),
    Static(
        "read_idxs",
        FLAG,
        False,
        "also return the index of each sample among the lines of its manifest that are not skipped",
    ),
    Static(
        "min_duration",
        NUMBER,
        0.0,
        "in seconds; samples that are shorter, or have no duration, are skipped; 0: none are skipped",
    ),
    Static("max_duration", NUMBER, 0.0, "in seconds; samples that are longer are skipped; 0: none are skipped"),
    Static("downmix", FLAG, True, "average all channels into one"),
    DTYPE,
    Static("sample_rate", NUMBER, -1.0, "sample rate of the signals, in Hz; 0 or less: that of each file"),
    QUALITY,
    *SHARDING,
    *hints("one number per output", None),
)
_READ = ("min_duration", "max_duration", "downmix", "sample_rate", "quality")


def _wanted(given: Params) -> list[str]:
    flags = [True, given["read_sample_rate"], given["read_text"], given["read_idxs"]]
    return [name for name, flag in zip(VALUES, flags, strict=True) if flag]


def _outputs(given: Params) -> int | None:
    count = len(_wanted(given))
    return count if count > 1 else None


def _spec(given: Params) -> ReaderSpec:
    # As in DALI, the limits are 32-bit floats, which decides about durations that are just at a limit.
    read: MutableParams = {
        name: float(np.float32(given[name])) if name.endswith("duration") else given[name] for name in _READ
    }
    wanted = _wanted(given)
    read |= {"dtype": str(numpy_dtype(given["dtype"])), "values": wanted, **caching(given)}
    data = NemoASR(given["manifest_filepaths"], **read)
    return reader_spec("nemo_asr", data, given, outputs=len(wanted))


nemo_asr_reader = declare(
    Operator(
        name="readers.nemo_asr",
        doc=f"""Reads sounds, and what is said in them, by NeMo's manifests, forever; DALI's `fn.readers.nemo_asr`.

    It wants `pip install 'jaxdali[audio]'`.

    {READING}""",
        params=_PARAMS,
        accepted={**ACCEPTED, "lazy_init": "manifests are read when the operator is written"},
        old={"normalize_text": Old()},
        devices=("cpu",),
        outputs=_outputs,
        returns="A node, or a list of them: the signals, `[samples]`, without `downmix` `[samples, channels]`; with "
        "`read_sample_rate` the rates, `float32`; with `read_text` the texts in UTF-8, `uint8[n]`; with `read_idxs` "
        "`int64[1]`.",
        raises={
            "BackendUnavailable": "soundfile is not installed",
            "OSError": "a manifest cannot be read. That of a sound comes as SourceError from `run`, with its path",
        },
        source=_spec,
        describe=describe_reader,
    )
)
