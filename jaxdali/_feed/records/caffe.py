"""Parses the values of Caffe's and Caffe2's databases: protocol buffers with an image, its label and other tensors.

Caffe's Datum: channels = 1, height = 2, width = 3, data = 4, label = 5, float_data = 6, encoded = 7. Caffe2's TensorProtos
{ repeated TensorProto protos = 1 }, each: dims = 1, data_type = 2, float_data = 3, int32_data = 4, byte_data = 5,
string_data = 6.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from jaxdali.errors import SourceDataError
from .protobuf import BYTES, FIXED32, VARINT, Malformed, expect, fields, integers

__all__ = ["LABELS", "NONE", "SINGLE", "SPARSE", "WEIGHTED", "parse_datum", "parse_tensors"]

# Kinds of labels, in the order of Caffe2's numbers for them.
SINGLE, SPARSE, DENSE, WEIGHTED, NONE = LABELS = range(5)
_FLOAT, _INT32, _BYTE, _STRING = 1, 2, 3, 4


def parse_datum(data: bytes, image_wanted: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Returns the image and the label of Caffe's Datum. The image is a file, `uint8[size]`, or raw pixels,
    `uint8[height, width, channels]`. The label is `int32[1]`, or `int32[0]` if there is none.

    Pixels are raw only if the Datum says that they are not encoded.

    Args:
        data: the Datum.
        image_wanted: whether the image matters; otherwise it is not checked, and may be any bytes.

    Raises:
        SourceDataError: `data` is not a Datum, or the number of its pixels does not match its extents, or they are floats.
    """
    view = memoryview(data)
    extents = {1: 0, 2: 0, 3: 0}
    image, label, raw, floats = np.zeros(0, np.uint8), np.zeros(0, np.int32), False, False
    try:
        for field, wire, first, last in fields(view, 0, len(view)):
            if field == 4:
                expect(wire == BYTES, first)
                image = np.frombuffer(view[first:last], np.uint8)
            elif field == 6:
                floats = True
            elif field in (1, 2, 3, 5, 7):
                expect(wire == VARINT, first)
                (number,) = integers(view[first:last], first).astype(np.int32)
                if field == 5:
                    label = np.array([number], np.int32)
                elif field == 7:
                    raw = not number
                else:
                    extents[field] = int(number)
    except Malformed as error:
        raise SourceDataError(f"the value is not a Datum of Caffe's: {error}") from None
    if not image_wanted:
        return image, label
    if floats and not image.size and (not raw or all(extents.values())):
        raise SourceDataError("the Datum has float_data and no bytes; expected an image file, or pixels of 8 bits")
    if not raw:
        return image, label
    # As in DALI, the data are taken as rows of pixels.
    shape = (extents[2], extents[3], extents[1])
    return _shaped(image, shape, "the Datum"), label


@dataclasses.dataclass
class _Tensor:
    """A TensorProto: its extents, the number of its type, and its values of each type."""

    dims: list[int] = dataclasses.field(default_factory=list)
    kind: int = _FLOAT
    floats: list[np.ndarray] = dataclasses.field(default_factory=list)
    integers: list[np.ndarray] = dataclasses.field(default_factory=list)
    data: bytes = b""
    texts: list[bytes] = dataclasses.field(default_factory=list)

    def numbers(self, what: str) -> np.ndarray:
        """Returns `int32[n]` or `float32[n]`."""
        if self.kind == _INT32:
            return np.concatenate([np.zeros(0, np.int32), *self.integers])
        if self.kind == _FLOAT:
            return np.concatenate([np.zeros(0, np.float32), *self.floats])
        raise SourceDataError(f"{what} has the type {self.kind}, expected {_INT32} (int32) or {_FLOAT} (float)")

    def image(self) -> np.ndarray:
        """Returns a file, `uint8[size]`, or pixels, `uint8[height, width, channels]`."""
        if self.kind == _STRING:
            if not self.texts:
                raise SourceDataError("the image is an empty tensor of strings")
            if len(self.texts) > 1:
                raise SourceDataError(f"the image is a tensor of {len(self.texts)} strings, expected one, a file")
            return np.frombuffer(self.texts[0], np.uint8)
        if self.kind != _BYTE:
            raise SourceDataError(f"the image has the type {self.kind}, expected {_STRING} (string) or {_BYTE} (byte)")
        if len(self.dims) not in (2, 3):
            raise SourceDataError(f"the image has the extents {self.dims}, expected height, width and channels")
        return _shaped(np.frombuffer(self.data, np.uint8), (*self.dims, 1)[:3], "the image")


def parse_tensors(
    data: bytes, image: bool, label: int, num_labels: int, additional: int, bbox: bool
) -> tuple[np.ndarray, ...]:
    """Returns the outputs that are asked for from Caffe2's TensorProtos, in the order in which they are stored.

    Args:
        image: whether there is an image: a file, `uint8[size]`, or pixels, `uint8[height, width, channels]`.
        label: one of `LABELS`: a number, `int32[1]`; indices, which become `int32[num_labels]` of 0 and 1; numbers,
            `float32[n]`; indices and a tensor of their weights, which become `float32[num_labels]`; or none.
        additional: how many more tensors of numbers follow, `int32[n]` or `float32[n]` each.
        bbox: whether a box follows, `int32[4]`.

    Raises:
        SourceDataError: the tensors are not these.
    """
    try:
        tensors = iter(_tensors(memoryview(data)))
    except Malformed as error:
        raise SourceDataError(f"the value is not a TensorProtos of Caffe2's: {error}") from None

    def following(what: str) -> _Tensor:
        found = next(tensors, None)
        if found is None:
            raise SourceDataError(f"{what} is missing: the value has fewer tensors than the reader expects")
        return found

    outputs = [following("the image").image()] if image else []
    if label in (SINGLE, DENSE):
        numbers = following("the label").numbers("the label")
        if label == SINGLE and len(numbers) != 1:
            raise SourceDataError(f"the label has {len(numbers)} numbers, expected 1; see label_type")
        outputs.append(numbers)
    elif label in (SPARSE, WEIGHTED):
        indices = following("the label").numbers("the label")
        weights = following("their weights").numbers("their weights") if label == WEIGHTED else None
        outputs.append(_dense_labels(indices, weights, num_labels))
    for k in range(additional):
        what = f"additional input {k}"
        outputs.append(following(what).numbers(what))
    if bbox:
        box = following("the box").numbers("the box")
        if box.dtype != np.int32 or len(box) != 4:
            raise SourceDataError(f"the box has {len(box)} numbers of {box.dtype}, expected 4 of int32")
        outputs.append(box)
    return tuple(outputs)


def _dense_labels(indices: np.ndarray, weights: np.ndarray | None, count: int) -> np.ndarray:
    if indices.dtype != np.int32 or (len(indices) and not 0 <= indices.min() <= indices.max() < count):
        raise SourceDataError(f"labels are {indices[:8].tolist()} ..., expected indices below num_labels, {count}")
    if weights is None:
        weights = np.ones(len(indices), np.int32)
    elif weights.dtype != np.float32 or len(weights) != len(indices):
        raise SourceDataError(
            f"there are {len(weights)} weights of {weights.dtype} for {len(indices)} labels, expected a float32 for each"
        )
    found = np.zeros(count, weights.dtype)
    found[indices] = weights
    return found


def _tensors(view: memoryview) -> list[_Tensor]:
    found = []
    for field, wire, first, last in fields(view, 0, len(view)):
        if field == 1:
            expect(wire == BYTES, first)
            found.append(_tensor(view, first, last))
    return found


def _tensor(view: memoryview, start: int, stop: int) -> _Tensor:
    found = _Tensor()
    for field, wire, first, last in fields(view, start, stop):
        part = view[first:last]
        if field in (1, 2, 4):
            expect(wire in (BYTES, VARINT), first)
            numbers = integers(part, first)
            if field == 1:
                found.dims += numbers.tolist()
            elif field == 2:
                expect(len(numbers) == 1, first)
                found.kind = int(numbers[0])
            else:
                found.integers.append(numbers.astype(np.int32))
        elif field == 3:
            expect(wire in (BYTES, FIXED32) and len(part) % 4 == 0, first)
            found.floats.append(np.frombuffer(part, "<f4"))
        elif field in (5, 6):
            expect(wire == BYTES, first)
            if field == 5:
                found.data = bytes(part)
            else:
                found.texts.append(bytes(part))
    return found


def _shaped(pixels: np.ndarray, shape: tuple[int, ...], what: str) -> np.ndarray:
    if any(extent < 0 or extent > 1 << 24 for extent in shape) or int(np.prod(shape, dtype=object)) != len(pixels):
        raise SourceDataError(f"{what} says that its extents are {list(shape)}, but it has {len(pixels)} bytes")
    return pixels.reshape(shape)
