"""Reads the features that are asked for from Examples and SequenceExamples: all of their values, or an error."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from jaxdali.errors import SourceDataError
from .example_wire import FEATURE_LISTS, FEATURES, Range, Values, entries, steps_of, values_of
from .features import FLOAT32, INT64, STRING, Feature, FixedLenFeature, VarLenFeature
from .protobuf import Malformed

__all__ = ["Value", "features_of", "parse_example"]

_NAMES = {STRING: "strings", FLOAT32: "floats", INT64: "integers"}

# Of strings: one, or a list of them. Of numbers: an array.
Value = np.ndarray | bytes | list[bytes]


def parse_example(data: bytes, features: Mapping[str, Feature]) -> dict[str, Value]:
    """Returns the given features of an Example, or of a SequenceExample's context and its feature lists, by name.

    Numbers are arrays. Strings are a list of bytes; those of a fixed feature that has one string are its bytes. The first
    axis of a feature list's array is its steps, and so is the list of its strings: one in each step.

    Raises:
        SourceDataError: `data` is not an Example, or a feature has another type or number of values.
    """
    try:
        view = memoryview(data)
        plain, lists = entries(view, FEATURES), entries(view, FEATURE_LISTS)
        return {name: _value(view, name, feature, plain, lists) for name, feature in features.items()}
    except Malformed as error:
        raise _no_example(error) from None


def features_of(data: bytes) -> dict[str, Feature]:
    """Returns all features of an Example that have values, and then the feature lists of a SequenceExample whose steps have
    the same number of them, by name and in its order. One with a single string is a `FixedLenFeature`, all others are a
    `VarLenFeature`. Raises as `parse_example`.
    """
    found: dict[bytes, Feature] = {}
    try:
        view = memoryview(data)
        plain, lists = entries(view, FEATURES), entries(view, FEATURE_LISTS)
        for key in plain.keys() - lists.keys():
            kind, values = values_of(view, plain[key])
            if len(values) == 1 and kind == STRING:
                found[key] = FixedLenFeature([], STRING, b"")
            elif len(values):
                found[key] = _any_number(kind)
        for key in lists.keys() - plain.keys():
            steps = {(kind, len(values)) for kind, values in _steps(view, lists[key])}
            kind, size = steps.pop() if len(steps) == 1 else (STRING, 0)
            if size == 1:
                found[key] = _any_number(kind)
            elif size and kind != STRING:
                found[key] = VarLenFeature([size], kind, 0)
    except Malformed as error:
        raise _no_example(error) from None
    return {key.decode(errors="replace"): found[key] for key in [*plain, *lists] if key in found}


def _any_number(kind: int) -> Feature:
    return VarLenFeature(kind, b"" if kind == STRING else 0)


def _no_example(error: Malformed) -> SourceDataError:
    return SourceDataError(
        f"the record is not a tf.train.Example: its byte {error.offset} is not valid in that protocol buffer. To read files "
        "that hold something else, write a source of your own (jaxdali.Loader, fn.external_source)"
    )


def _steps(view: memoryview, pieces: Sequence[Range]) -> list[tuple[int, Values]]:
    """Returns type and values of each step of a feature list."""
    return [values_of(view, [step]) for step in steps_of(view, pieces)]


def _value(
    view: memoryview,
    name: str,
    feature: Feature,
    plain: Mapping[bytes, Sequence[Range]],
    lists: Mapping[bytes, Sequence[Range]],
) -> Value:
    key = name.encode()
    if key in lists:
        if key in plain:
            raise SourceDataError(
                f"{name!r} is a feature of the context and a feature list as well, and this name can mean only one of them; "
                "write a source of your own for such files"
            )
        return _of_list(name, feature, _steps(view, lists[key]))
    kind, values = values_of(view, plain.get(key, ()))
    if not len(values):
        return _missing(feature)
    _check_kind(f"the feature {name!r}", kind, feature)
    if feature.fixed:
        wanted = _count(feature.shape)
        if len(values) != wanted:
            what = "strings" if kind == STRING else "values"
            raise SourceDataError(
                f"the feature {name!r} has {len(values)} {what}, expected {wanted} ({feature!r}); a VarLenFeature"
                f"{' of jaxdali.source.TFRecords' if kind == STRING else ''} takes any number of them"
            )
    if isinstance(values, list):
        return _texts(values, feature)
    return values.reshape(feature.shape or ()) if feature.fixed else _partial(name, values, feature)


def _of_list(name: str, feature: Feature, steps: Sequence[tuple[int, Values]]) -> Value:
    """Returns the values of a feature list, whose steps must have as many values as the feature's shape says."""
    if not steps:
        return _missing(feature)
    shape = feature.shape or ()
    wanted, *inner = (shape or (1,)) if feature.fixed else (len(steps), *shape)
    if len(steps) != wanted:
        raise SourceDataError(
            f"the feature list {name!r} has {len(steps)} steps, expected {wanted} ({feature!r}); a VarLenFeature"
            f"{' of jaxdali.source.TFRecords' if feature.dtype == STRING else ''} takes any number of them"
        )
    for number, (kind, values) in enumerate(steps):
        what = f"step {number} of the feature list {name!r}"
        if len(values):
            _check_kind(what, kind, feature)
        if len(values) != _count(inner):
            raise SourceDataError(
                f"{what} has {len(values)} values, expected {_count(inner)} ({feature!r}); all steps must have the same "
                "number of values, which the extents after the steps' own give"
            )
    if feature.dtype == STRING:
        return _texts([text for _, values in steps for text in values], feature)
    found = np.stack([values for _, values in steps])
    return found.reshape(shape if feature.fixed else (len(steps), *inner))


def _check_kind(what: str, kind: int, feature: Feature) -> None:
    if kind != feature.dtype:
        raise SourceDataError(f"{what} holds {_NAMES[kind]}, expected {_NAMES[feature.dtype]} ({feature!r})")


def _texts(texts: list[bytes], feature: Feature) -> Value:
    return texts[0] if feature.one_text else texts


def _partial(name: str, values: np.ndarray, feature: Feature) -> np.ndarray:
    if not feature.shape:
        return values
    rest = _count(feature.shape)
    if len(values) % rest:
        raise SourceDataError(
            f"the feature {name!r} has {len(values)} values, which its partial shape {list(feature.shape)} does not divide"
        )
    return values.reshape(-1, *feature.shape)


def _missing(feature: Feature) -> Value:
    if feature.dtype == STRING:
        assert isinstance(feature.default, bytes)
        return _texts([feature.default] * (_count(feature.shape) if feature.fixed else 0), feature)
    if feature.fixed:
        return np.full(feature.shape or (), feature.default, feature.element)
    return np.zeros((0, *(feature.shape or ())), feature.element)


def _count(shape: Sequence[int] | None) -> int:
    return math.prod(shape or ())
