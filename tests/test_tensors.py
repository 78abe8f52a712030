"""`TensorListCPU` and `TensorCPU`: DALI's names for a batch and a sample on the host."""

import front_sources
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from front_pipelines import make, of

from jaxdali import ConfigError, SourceDataError, fn, types
from jaxdali.tensors import TensorCPU, TensorListCPU

# The graphs here use only one of their source's two outputs.
pytestmark = pytest.mark.filterwarnings("ignore:the external_source:UserWarning")

RAGGED = [np.full((2 + k, 3, 1), k, np.float32) for k in range(3)]


def dense(count=4):
    return np.arange(count * 6, dtype=np.int16).reshape(count, 2, 3)


@pytest.fixture(params=["array", "list", "slot", "device", "canvas"])
def batch(request):
    """The same four images from each kind of memory that a list can have."""
    images = [front_sources.pixels(0)] * 4
    if request.param == "array":
        return TensorListCPU(np.stack(images), "HWC")
    if request.param == "list":
        return TensorListCPU(images, "HWC")
    if request.param == "slot":
        return of(lambda: images[0]).run()[0]
    if request.param == "device":
        return of(lambda: front_sources.file(0), fn.decoders.image).run()[0]
    # The first batch's images differ in size; the second's are equal, on the same canvas.
    files = [front_sources.file(k) for k in (1, 2, 0, 3)]
    pipe = of(
        lambda info: files[info.idx_in_batch] if info.iteration == 0 else files[2],
        fn.decoders.image,
    )
    pipe.run()
    return pipe.run()[0]


def test_a_batch_reads_as_a_list(batch):
    image = front_sources.pixels(0)
    assert len(batch) == 4
    np.testing.assert_array_equal(batch.at(0), image)
    np.testing.assert_array_equal(batch.at(-1), image)
    assert isinstance(batch[1], TensorCPU) and batch[1].shape() == [*image.shape]
    tensors = list(batch)
    assert len(tensors) == 4
    for tensor in tensors:
        np.testing.assert_array_equal(np.asarray(tensor), image)
    for wrong in (4, -5):
        with pytest.raises(IndexError, match=f"Index is out-of-range: {wrong} of a batch of 4"):
            batch.at(wrong)
        with pytest.raises(IndexError, match="Index is out-of-range"):
            batch[wrong]


def test_a_batch_of_one_shape_is_an_array(batch):
    expected = np.stack([front_sources.pixels(0)] * 4)
    assert batch.is_dense_tensor()
    assert batch.shape() == [expected.shape[1:]] * 4 and batch.ndim() == 3
    assert batch.dtype == types.UINT8
    assert batch.as_cpu() is batch
    for array in (batch.as_array(), np.array(batch), np.asarray(batch), batch.as_tensor()):
        np.testing.assert_array_equal(np.asarray(array), expected)
    assert np.array(batch, np.float32).dtype == np.float32


def test_layouts():
    images = make(lambda files, labels: fn.decoders.image(files)).run()[0]
    assert images.layout() == images[0].layout() == "HWC"
    assert TensorListCPU(dense(), "AB").as_tensor().layout() == "NAB"
    assert TensorListCPU(dense()).as_tensor().layout() == ""


def test_ragged_batches_are_no_array():
    batch = TensorListCPU(RAGGED, "HWC")
    assert not batch.is_dense_tensor()
    assert batch.shape() == [(2, 3, 1), (3, 3, 1), (4, 3, 1)]
    for call in (batch.as_array, batch.as_tensor, lambda: np.array(batch)):
        with pytest.raises(ConfigError, match=r"do not all have the same shape.*at\(index\)"):
            call()
    assert batch.at(2).shape == (4, 3, 1)


def test_an_empty_batch():
    for batch in (TensorListCPU([]), TensorListCPU(np.zeros((0, 3), np.uint8))):
        assert len(batch) == 0 and batch.shape() == [] and list(batch) == []
        assert len(batch.as_array()) == 0
        with pytest.raises(IndexError, match="out-of-range: 0 of a batch of 0"):
            batch.at(0)


@pytest.mark.parametrize("layout", ["HW", "HWCD", pytest.param("NHWC", id="the batch is not an axis of a sample")])
def test_a_layout_that_does_not_fit(layout):
    words = f"The layout '{layout}' cannot describe 3-dimensional data"
    with pytest.raises(ConfigError, match=words):
        TensorListCPU(RAGGED, layout)
    with pytest.raises(ConfigError, match=words):
        TensorCPU(RAGGED[0], layout)


def test_samples_that_do_not_belong_together():
    with pytest.raises(ConfigError, match=r"same type and number of dimensions.*number 1 is uint8"):
        TensorListCPU([np.zeros(2, np.int8), np.zeros(2, np.uint8)])
    with pytest.raises(ConfigError, match="the first is int8 with 1, number 1 is int8 with 2"):
        TensorListCPU([np.zeros(2, np.int8), np.zeros((2, 2), np.int8)])
    with pytest.raises(ConfigError, match=r"at least one dimension.*got a scalar"):
        TensorListCPU(np.float32(3))
    with pytest.raises(SourceDataError, match="Unsupported callback return type: str"):
        TensorListCPU(["text"])
    with pytest.raises(SourceDataError, match="Unsupported callback return type: str"):
        TensorCPU("text")


@pytest.mark.parametrize(
    "make_input", [jnp.asarray, TensorCPU, lambda x: x, lambda x: x.astype(x.dtype.newbyteorder())]
)
def test_what_tensors_are_made_of(make_input):
    array = dense(2)
    np.testing.assert_array_equal(TensorCPU(make_input(array)), array)
    batch = TensorListCPU([make_input(sample) for sample in array])
    np.testing.assert_array_equal(batch.as_array(), array)
    assert batch.dtype == types.INT16
    np.testing.assert_array_equal(TensorListCPU(make_input(array)).at(1), array[1])


def test_a_tensor():
    array = dense(1)[0]
    tensor = TensorCPU(array, "AB")
    assert (tensor.shape(), tensor.layout(), tensor.ndim(), len(tensor)) == ([2, 3], "AB", 2, 2)
    assert tensor.dtype == types.INT16
    assert tensor[1, 2] == 5 and tensor[0].tolist() == [0, 1, 2]
    assert np.shares_memory(np.asarray(tensor), array)
    assert not np.shares_memory(np.array(tensor), array)
    assert np.asarray(tensor, np.float64).dtype == np.float64
    assert np.shares_memory(tensor.__array__(copy=False), array)
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        tensor.__array__(np.float64, copy=False)


def test_tensors_of_a_slot_go_to_numpy_and_jax():
    (batch,) = of(front_sources.numbers).run()
    tensor = batch[2]
    assert tensor.__dlpack_device__()[0] == 1
    for view in (np.from_dlpack(tensor), np.asarray(tensor)):
        assert np.shares_memory(view, batch.at(2)) and not view.flags.writeable
    for array in (jax.dlpack.from_dlpack(tensor), jnp.asarray(tensor)):
        assert array.tolist() == [2, 2, 0]


def test_text():
    assert repr(TensorListCPU(RAGGED, "HWC")) == (
        "TensorListCPU(dtype=DALIDataType.FLOAT, layout='HWC', num_samples=3, shape=[(2, 3, 1), (3, 3, 1), (4, 3, 1)])"
    )
    assert repr(TensorCPU(RAGGED[0])) == ("TensorCPU(dtype=DALIDataType.FLOAT, layout='', shape=[2, 3, 1])")


def test_batches_of_a_pipeline_feed_another_one():
    images = make(lambda files, labels: fn.decoders.image(files)).run()[0]
    again = of(lambda info: images[info.idx_in_batch], lambda node: fn.resize(node, size=8))
    straight = of(
        lambda info: front_sources.file(info.idx_in_batch),
        lambda node: fn.resize(fn.decoders.image(node), size=8),
    )
    for one, two in zip(again.run()[0], straight.run()[0], strict=True):
        assert np.abs(np.asarray(one).astype(int) - np.asarray(two)).max() <= 1
