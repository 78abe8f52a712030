"""Reads the features that are asked for from Examples, the protocol buffers of TFRecord files.

The format: Example { Features features = 1 }, Features { map<string, Feature> feature = 1 },
Feature { one of: BytesList = 1, FloatList = 2, Int64List = 3 }, each { repeated value = 1 }, numbers packed or one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ..errors import SourceDataError
from .features import FLOAT32, INT64, STRING, Feature, VarLenFeature
from .protobuf import BYTES, FIXED32, VARINT, Malformed, expect, fields, integers

__all__ = ["features_of", "parse_example"]

_LISTS = {1: STRING, 2: FLOAT32, 3: INT64}
_NAMES = {STRING: "strings", FLOAT32: "floats", INT64: "integers"}


def parse_example(data: bytes, features: Mapping[str, Feature]) -> dict[str, np.ndarray | bytes]:
    """Returns the given features of an Example by name: arrays, or for strings the bytes of the first one.

    Raises:
        SourceDataError: `data` is not an Example, or a feature has another type or size.
    """
    try:
        return _parse(memoryview(data), features)
    except Malformed as error:
        raise _no_example(error) from None


def features_of(data: bytes) -> dict[str, Feature]:
    """Returns all features of an Example that have values, by name and in its order, each as a `VarLenFeature`. Raises
    as `parse_example`.
    """
    try:
        view = memoryview(data)
        values = {key: _values(view, *value) for key, value in _entries(view)}
    except Malformed as error:
        raise _no_example(error) from None
    return {
        key.decode(errors="replace"): VarLenFeature(kind, b"" if kind == STRING else 0)
        for key, (kind, found) in values.items()
        if len(found)
    }


def _no_example(error: Malformed) -> SourceDataError:
    return SourceDataError(
        f"the record is not a tf.train.Example: its byte {error.offset} is not valid in that protocol buffer. To read files "
        "that hold something else, write a source of your own (jaxdali.Loader, fn.external_source)"
    )


def _entries(view: memoryview) -> Iterator[tuple[bytes, tuple[int, int]]]:
    """Yields the name of each feature, and where its values begin and end."""
    for _, start, stop in _messages(view, 0, len(view), 1):
        for _, begin, end in _messages(view, start, stop, 1):
            key, value = b"", (end, end)
            for field, first, last in _messages(view, begin, end, None):
                if field == 1:
                    key = bytes(view[first:last])
                elif field == 2:
                    value = first, last
            yield key, value


def _parse(view: memoryview, features: Mapping[str, Feature]) -> dict[str, np.ndarray | bytes]:
    wanted = {name.encode(): name for name in features}
    found = {wanted[key]: value for key, value in _entries(view) if key in wanted}
    return {name: _value(view, name, feature, found.get(name)) for name, feature in features.items()}


def _value(view: memoryview, name: str, feature: Feature, offset: tuple[int, int] | None) -> np.ndarray | bytes:
    kind, values = (STRING, []) if offset is None else _values(view, *offset)
    if not len(values):
        return _missing(feature)
    if kind != feature.dtype:
        raise SourceDataError(
            f"the feature {name!r} holds {_NAMES[kind]}, expected {_NAMES[feature.dtype]} ({feature!r})"
        )
    if isinstance(values, list):
        return values[0]
    if feature.fixed:
        wanted = int(np.prod(feature.shape or (), dtype=np.int64))
        if len(values) != wanted:
            raise SourceDataError(
                f"the feature {name!r} has {len(values)} values, expected {wanted} ({feature!r}); VarLenFeature takes any "
                "number of them"
            )
        return values.reshape(feature.shape or ())
    return _partial(name, values, feature)


def _partial(name: str, values: np.ndarray, feature: Feature) -> np.ndarray:
    if not feature.shape:
        return values
    rest = int(np.prod(feature.shape, dtype=np.int64))
    if len(values) % rest:
        raise SourceDataError(
            f"the feature {name!r} has {len(values)} values, which its partial shape {list(feature.shape)} does not divide"
        )
    return values.reshape(-1, *feature.shape)


def _missing(feature: Feature) -> np.ndarray | bytes:
    if feature.dtype == STRING:
        return feature.default if feature.fixed and isinstance(feature.default, bytes) else b""
    if feature.fixed:
        return np.full(feature.shape or (), feature.default, feature.element)
    return np.zeros((0, *(feature.shape or ())), feature.element)


def _values(view: memoryview, start: int, stop: int) -> tuple[int, list[bytes] | np.ndarray]:
    """Returns the type of a Feature's values, and the values. If there are several lists, the last one counts."""
    kind, values = STRING, []
    for field, first, last in _messages(view, start, stop, None):
        if field in _LISTS:
            kind = _LISTS[field]
            values = _list(view, first, last, kind)
    return kind, values


def _list(view: memoryview, start: int, stop: int, kind: int) -> list[bytes] | np.ndarray:
    texts: list[bytes] = []
    packed: list[np.ndarray] = []
    for field, wire, first, last in fields(view, start, stop):
        if field != 1:
            continue
        if kind == STRING:
            expect(wire == BYTES, first)
            texts.append(bytes(view[first:last]))
            continue
        if kind == FLOAT32:
            expect(wire in (BYTES, FIXED32) and (last - first) % 4 == 0, first)
            packed.append(np.frombuffer(view[first:last], "<f4"))
        else:
            expect(wire in (BYTES, VARINT), first)
            packed.append(integers(view[first:last], first))
    if kind == STRING:
        return texts
    return (
        packed[0] if len(packed) == 1 else np.concatenate([np.zeros(0, Feature(kind, None, False, 0).element), *packed])
    )


def _messages(view: memoryview, start: int, stop: int, wanted: int | None) -> Iterator[tuple[int, int, int]]:
    """Yields number, begin and end of each length-prefixed field between two offsets; only of field `wanted`, if given."""
    for field, wire, first, last in fields(view, start, stop):
        if wire == BYTES and wanted in (None, field):
            yield field, first, last
