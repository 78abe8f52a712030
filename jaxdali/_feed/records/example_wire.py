"""Finds the features of Examples and SequenceExamples, the protocol buffers of TFRecord files, and their values.

The format: Example { Features features = 1 }, SequenceExample { Features context = 1, FeatureLists feature_lists = 2 },
Features { map<string, Feature> feature = 1 }, FeatureLists { map<string, FeatureList> feature_list = 1 },
FeatureList { repeated Feature feature = 1 }, Feature { one of: BytesList = 1, FloatList = 2, Int64List = 3 }, each
{ repeated value = 1 }, numbers packed or one by one.

As protocol buffers have it, a message may come in several pieces, which are merged; of two entries of a map with one key
the later one counts, and of two members of a "one of", too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from .features import FLOAT32, INT64, STRING, Feature
from .protobuf import BYTES, FIXED32, VARINT, expect, fields, integers

__all__ = ["FEATURES", "FEATURE_LISTS", "Range", "Values", "entries", "steps_of", "values_of"]

# The fields of a record: the features of an Example or of a context, and the feature lists of a SequenceExample.
FEATURES, FEATURE_LISTS = 1, 2
_LISTS = {1: STRING, 2: FLOAT32, 3: INT64}

# Where a piece of a message begins and ends.
Range = tuple[int, int]
Values = list[bytes] | np.ndarray


def entries(view: memoryview, number: int) -> dict[bytes, list[Range]]:
    """Returns the pieces of each feature, or feature list, by its name.

    Args:
        number: `FEATURES` or `FEATURE_LISTS`.
    """
    found: dict[bytes, list[Range]] = {}
    for _, start, stop in _messages(view, 0, len(view), number):
        for _, begin, end in _messages(view, start, stop, 1):
            key, pieces = b"", []
            for field, first, last in _messages(view, begin, end, None):
                if field == 1:
                    key = bytes(view[first:last])
                elif field == 2:
                    pieces.append((first, last))
            found[key] = pieces
    return found


def steps_of(view: memoryview, pieces: Sequence[Range]) -> list[Range]:
    """Returns where the features of a feature list are, one for each step."""
    return [(first, last) for piece in pieces for _, first, last in _messages(view, *piece, 1)]


def values_of(view: memoryview, pieces: Sequence[Range]) -> tuple[int, Values]:
    """Returns the type of a feature's values, and all of them: texts, or an array of one axis."""
    kind = STRING
    parts: list[bytes | np.ndarray] = []
    for piece in pieces:
        for field, first, last in _messages(view, *piece, None):
            if field in _LISTS:
                if _LISTS[field] != kind:
                    kind, parts = _LISTS[field], []
                parts += _parts(view, first, last, kind)
    if kind == STRING:
        return kind, [part for part in parts if isinstance(part, bytes)]
    arrays = [part for part in parts if isinstance(part, np.ndarray)]
    nothing = np.zeros(0, Feature(kind, None, False, 0).element)
    return kind, arrays[0] if len(arrays) == 1 else np.concatenate([nothing, *arrays])


def _parts(view: memoryview, start: int, stop: int, kind: int) -> Iterator[bytes | np.ndarray]:
    """Yields the texts of a list, or its numbers in arrays."""
    for field, wire, first, last in fields(view, start, stop):
        if field != 1:
            continue
        if kind == STRING:
            expect(wire == BYTES, first)
            yield bytes(view[first:last])
        elif kind == FLOAT32:
            expect(wire in (BYTES, FIXED32) and (last - first) % 4 == 0, first)
            yield np.frombuffer(view[first:last], "<f4")
        else:
            expect(wire in (BYTES, VARINT), first)
            yield integers(view[first:last], first)


def _messages(view: memoryview, start: int, stop: int, wanted: int | None) -> Iterator[tuple[int, int, int]]:
    """Yields number, begin and end of each length-prefixed field between two offsets; only of field `wanted`, if given."""
    for field, wire, first, last in fields(view, start, stop):
        if wire == BYTES and wanted in (None, field):
            yield field, first, last
