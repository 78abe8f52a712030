"""Reads Examples from TFRecord files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jaxdali._feed.records.features import STRING, Feature, FixedLenFeature, VarLenFeature
from jaxdali._feed.source.tfrecord import TFRecords
from jaxdali.errors import ConfigError
from ...graph.call import Params
from ...graph.declarations import declare
from ..argument_kinds import PATH, Kind, several
from ..declaration import REQUIRED, Operator, Param, Static
from .reader_params import ACCEPTED, CONTAINERS, READING, caching, describe_reader, hints, reader_spec
from .reader_spec import ReaderSpec

__all__ = ["tfrecord_reader"]

_EXAMPLES = ({"label": FixedLenFeature([1], 0, -1)}, {"label": VarLenFeature(0, -1)})


def _features(word: str, value: object) -> dict[str, tuple[object, ...]]:
    """Converts features to a form that can be saved: (fixed, shape, dtype, default), with bytes as text."""
    if not isinstance(value, Mapping) or not value:
        raise ConfigError(f"{word} must be a dictionary of names and features of jaxdali.tfrecord, got {value!r:.80}")
    return {str(name): _plain(f"{word}[{name!r:.40}]", feature) for name, feature in value.items()}


def _plain(word: str, value: object) -> tuple[object, ...]:
    if isinstance(value, tuple):
        value = _feature(value)  # it is in that form already, and is checked again
    if not isinstance(value, Feature):
        raise ConfigError(f"{word} must be a FixedLenFeature or VarLenFeature of jaxdali.tfrecord, got {value!r:.80}")
    if value.dtype == STRING and value.fixed and not value.one_text:
        raise ConfigError(
            f"{word} is {value!r}, a list of strings, but an output of fn.readers.tfrecord is one array; "
            "jaxdali.source.TFRecords, for a Loader or fn.external_source, gives such lists"
        )
    default = value.default.decode("latin-1") if isinstance(value.default, bytes) else value.default
    return value.fixed, value.shape, value.dtype, default


def _feature(plain: tuple[Any, ...]) -> Feature:
    fixed, shape, dtype, default = plain
    default = default.encode("latin-1") if isinstance(default, str) else default
    if fixed:
        return FixedLenFeature(shape, dtype, default)
    return VarLenFeature(dtype, default) if shape is None else VarLenFeature(shape, dtype, default)


_PARAMS: tuple[Param, ...] = (
    Static("path", several(PATH), REQUIRED, "paths or URLs of the files; compressed files are not supported"),
    Static(
        "features",
        Kind("Mapping[str, Feature]", _features, _EXAMPLES),
        REQUIRED,
        "the features to read from each Example: a dictionary from their names to a "
        "`jaxdali.tfrecord.FixedLenFeature` or `VarLenFeature`",
    ),
    Static(
        "index_path",
        several(PATH),
        None,
        "an index file for each of `path`, with the positions of its records, made by `jaxdali index` or DALI's "
        "`tfrecord2idx`. If it is not given, the records are located when the operator is created, which reads the "
        "length of every record",
    ),
    *CONTAINERS,
    *hints("one number a feature", None),
)


def _spec(given: Params) -> ReaderSpec:
    features = {name: _feature(plain) for name, plain in given["features"].items()}
    data = TFRecords(given["path"], features, given["index_path"], **caching(given))
    return reader_spec("tfrecord", data, given, outputs=len(features))


tfrecord_reader = declare(
    Operator(
        name="readers.tfrecord",
        doc=f"""Reads features of the Examples in TFRecord files, forever; DALI's `fn.readers.tfrecord`.

    No TensorFlow is needed. A feature has all of its values, or is an error. So is one of several strings, of which
    DALI gives the first: `jaxdali.source.TFRecords` gives them all. Of a SequenceExample, which DALI does not read, a
    name is that of a feature of the context or of a feature list, whose steps are the first axis; each step has one
    `partial_shape` of numbers, or one.

    A fixed feature that an Example lacks has its default value, where DALI gives what is in memory; one of any number
    of values has none, `[0]` or `[0, *partial_shape]`. Lengths and checksums of records are checked; what is damaged is an
    error that names the file and the byte.

    {READING}""",
        params=_PARAMS,
        accepted={
            **ACCEPTED,
            "lazy_init": "indices are read when the operator is written",
            "use_o_direct": "files are read through the system's cache",
        },
        devices=("cpu",),
        outputs=lambda params: list(params["features"]),
        keyed=True,
        returns="A dictionary of nodes, by the names of `features`: of a string its bytes, `uint8[size]`, and "
        "`uint8[0]` if there is none; of numbers `int64` or `float32`, of `shape`, or `[n]` or `[n, *partial_shape]`.",
        raises={
            "OSError": "a file or an index cannot be read",
            "SourceDataError": "from `run`: a record is damaged, is not an Example, or has a feature of another type or "
            "number of values",
        },
        source=_spec,
        describe=describe_reader,
    )
)
