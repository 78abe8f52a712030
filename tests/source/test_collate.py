"""What a source may return: what is converted to an array, and the errors for other values."""

from __future__ import annotations

import array

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from case_names import plain
from PIL import Image

from jaxdali._feed.source.collate import as_batch, as_file, as_sample
from jaxdali.errors import SourceDataError
from jaxdali.tensors import TensorCPU, TensorListCPU


class Exporter:
    """A tensor of another library that only supports DLPack."""

    def __init__(self, value, device_type=1):
        self.value = value
        self.device_type = device_type

    def __dlpack_device__(self):
        return self.device_type, 0

    def __dlpack__(self, **options):
        if isinstance(self.value, Exception):
            raise self.value
        return self.value.__dlpack__(**options)


class Interface:
    def __init__(self, value):
        self.__array_interface__ = value.__array_interface__
        self.value = value


class OnDevice:
    """Memory of a GPU, with the older of the two interfaces."""

    __cuda_array_interface__ = {"shape": (2,), "typestr": "<f4", "data": (0, False), "version": 3}  # noqa: RUF012


class Convertible:
    def __array__(self, dtype=None, copy=None):
        return np.arange(3)


VALUES = {
    "array": np.arange(6, dtype=np.int16).reshape(2, 3),
    "transposed": np.arange(6, dtype=np.float32).reshape(2, 3).T,
    "read-only": np.broadcast_to(np.uint8(3), (2, 2)),
    "big-endian": np.array([1, -2, 3], ">i4"),
    "big-endian float": np.array([[1.5, -2.0]], ">f8"),
    "0-d": np.array(3.5),
    "scalar": np.float16(3),
    "bool": np.array([True, False]),
    "empty": np.zeros((0, 3), np.uint64),
    "jax": jnp.arange(4.0),
    "jax 0-d": jnp.int32(3),
    "jax bool": jnp.array([True, False]),
    "tensor": TensorCPU(np.arange(4, dtype=np.int8)),
    "dlpack": Exporter(np.arange(4, dtype=np.int8)),
    "interface": Interface(np.arange(4, dtype=np.uint16)),
    "__array__": Convertible(),
    "pillow": Image.fromarray(np.arange(12, dtype=np.uint8).reshape(2, 2, 3)),
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_arrays_of_all_makers_keep_their_values_in_native_order(value):
    expected = np.asarray(getattr(value, "value", value))
    sample = as_sample(value)
    assert sample.dtype == expected.dtype.newbyteorder("=") and sample.dtype.isnative
    assert sample.flags.c_contiguous and sample.shape == expected.shape
    np.testing.assert_array_equal(sample, expected)


def test_a_capsule_is_read():
    np.testing.assert_array_equal(as_sample(np.arange(4.0).__dlpack__()), np.arange(4.0))


UNSUPPORTED = "Unsupported callback return type"
UNKNOWN = "Cannot create type for unknown format string"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("text", [UNSUPPORTED, "str", "Don't know how to extract the shape out of"]),
        (b"bytes", [UNSUPPORTED, "bytes"]),
        (3, [UNSUPPORTED, "int"]),
        (2.5, [UNSUPPORTED, "float"]),
        ([1, 2], [UNSUPPORTED, "list", "num_outputs=2"]),
        ((np.zeros(1),), [UNSUPPORTED, "tuple"]),
        (None, [UNSUPPORTED, "NoneType"]),
        (np.zeros(2, np.complex64), [UNKNOWN, "complex64"]),
        (np.array([None]), [UNKNOWN, "object"]),
        (np.array(["a"]), [UNKNOWN, "<U1"]),
        (np.zeros(2, "M8[s]"), [UNKNOWN, "datetime64[s]"]),
        (np.zeros(2, [("a", "i4")]), [UNKNOWN]),
        (np.zeros(2, np.longdouble), [UNKNOWN]),
        (np.asarray(jnp.zeros(2, jnp.bfloat16)), [UNKNOWN, "bfloat16"]),
        (jnp.zeros(2, jnp.bfloat16), ["cannot be converted to an array"]),
        (Exporter(np.zeros(2), device_type=2), ["device memory", "cpu()"]),
        (OnDevice(), ["device memory", "get()"]),
        (Exporter(RuntimeError("requires grad")), ["cannot be converted to an array", "requires grad"]),
        (np.zeros((1,) * 9), ["9 dimensions", "at most 8"]),
    ],
    ids=plain,
)
def test_what_is_no_sample_is_refused_with_what_to_do(value, words):
    with pytest.raises(SourceDataError) as caught:
        as_sample(value)
    assert all(word in str(caught.value) for word in words), str(caught.value)


FILE = bytes(range(10))


@pytest.mark.parametrize(
    "value",
    [
        FILE,
        bytearray(FILE),
        memoryview(FILE),
        memoryview(bytes(k for k in range(10) for _ in range(2)))[::2],
        np.frombuffer(FILE, np.uint8),
        np.repeat(np.frombuffer(FILE, np.uint8), 2)[::2],
        Exporter(np.arange(10, dtype=np.uint8)),
        jax.device_put(np.frombuffer(FILE, np.uint8)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_file_is_bytes_or_a_row_of_them(value):
    file = as_file(value)
    assert file.dtype == np.uint8 and file.tobytes() == FILE


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (np.zeros(3), "float64 with shape (3,)"),
        (np.zeros(3, np.int8), "int8 with shape (3,)"),
        (np.zeros((2, 3), np.uint8), "uint8 with shape (2, 3)"),
        (np.uint8(3), "uint8 with shape ()"),
        ("image.jpg", "Unsupported callback return type: str"),
        (array.array("B", b"abc"), "Unsupported callback return type: array"),
    ],
)
def test_what_is_no_file_is_refused(value, words):
    with pytest.raises(SourceDataError) as caught:
        as_file(value)
    assert words in str(caught.value)


# BATCHES

DENSE = {name: value for name, value in VALUES.items() if np.asarray(getattr(value, "value", value)).ndim}


@pytest.mark.parametrize("value", DENSE.values(), ids=DENSE)
def test_an_array_of_any_maker_is_a_batch(value):
    expected = np.asarray(getattr(value, "value", value))
    batch = as_batch(value)
    assert isinstance(batch, np.ndarray)
    assert batch.dtype == expected.dtype.newbyteorder("=") and batch.dtype.isnative
    assert batch.flags.c_contiguous and batch.shape == expected.shape
    np.testing.assert_array_equal(batch, expected)


@pytest.mark.parametrize("make", [list, tuple])
def test_a_list_is_a_batch_of_its_entries_as_they_are(make):
    samples = [np.zeros(2), b"file", jnp.zeros(3), "no sample; said where it is written"]
    batch = as_batch(make(samples))
    assert isinstance(batch, list)
    assert all(mine is theirs for mine, theirs in zip(batch, samples, strict=True))
    assert as_batch(make()) == []


def test_an_empty_array_is_a_batch_of_nothing():
    batch = as_batch(np.zeros((0, 3), np.uint8))
    assert isinstance(batch, np.ndarray) and batch.shape == (0, 3)


def test_a_sample_of_eight_dimensions_fits_into_a_batch():
    batch = as_batch(np.zeros((1,) * 9))
    assert isinstance(batch, np.ndarray) and batch.ndim == 9
    with pytest.raises(SourceDataError, match="a batch of 10 dimensions; a sample has at most 8"):
        as_batch(np.zeros((1,) * 10))


def test_a_batch_of_another_pipeline_is_a_batch():
    dense = as_batch(TensorListCPU(np.arange(6).reshape(3, 2)))
    assert isinstance(dense, np.ndarray)
    np.testing.assert_array_equal(dense, np.arange(6).reshape(3, 2))
    ragged = as_batch(TensorListCPU([np.arange(2), np.arange(3)]))
    assert isinstance(ragged, list)
    assert [sample.tolist() for sample in ragged] == [[0, 1], [0, 1, 2]]
    assert len(as_batch(TensorListCPU([]))) == 0


SHAPE = "Don't know how to extract the shape out of"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("text", [SHAPE, "<class 'str'>", "a list of n arrays"]),
        (b"bytes", [SHAPE, "<class 'bytes'>"]),
        (None, [SHAPE, "<class 'NoneType'>", "batch=False"]),
        (3, [SHAPE, "<class 'int'>"]),
        (2.5, [SHAPE, "<class 'float'>"]),
        ({1, 2}, [SHAPE, "<class 'set'>"]),
        ({"x": np.zeros(2)}, [SHAPE, "<class 'dict'>"]),
        (iter([np.zeros(2)]), [SHAPE, "list_iterator"]),
        (np.array(3.5), ["a ndarray without dimensions as a batch", "batch=False"]),
        (np.float32(3), ["a float32 without dimensions as a batch"]),
        (jnp.int32(3), ["without dimensions as a batch"]),
        (np.zeros((2, 2), np.complex64), [UNKNOWN, "complex64", "a list of n arrays"]),
        (np.array([np.zeros(1), None], object), [UNKNOWN, "object", "may differ in shape"]),
        (Exporter(np.zeros((2, 2)), device_type=2), ["device memory", "cpu()"]),
        (OnDevice(), ["device memory", "get()"]),
        (Exporter(RuntimeError("requires grad")), ["cannot be converted to an array", "requires grad"]),
    ],
    ids=plain,
)
def test_what_is_no_batch_is_refused_with_what_to_do(value, words):
    with pytest.raises(SourceDataError) as caught:
        as_batch(value)
    assert all(word in str(caught.value) for word in words), str(caught.value)
