"""What DALI's tensors and lists can do besides being read: layouts, addresses, copies, properties."""

import ctypes

import jax.numpy as jnp
import numpy as np
import pytest
from front_pipelines import of

from jaxdali import ConfigError, Pipeline, fn, types
from jaxdali.tensors import ArrayBacking, TensorCPU, TensorGPU, TensorListCPU, TensorListGPU

CUBE = np.arange(24, dtype=np.int16).reshape(2, 1, 3, 4)
RAGGED = [np.full((n, 2), n, np.uint8) for n in (1, 2, 3)]


def on_device(samples=CUBE, layout="HWC"):
    """DALI's class for results on a GPU, with arrays on JAX's default device."""
    return TensorListGPU(ArrayBacking(jnp.asarray(samples)), layout)


@pytest.mark.parametrize("make", [TensorCPU, lambda array, layout: TensorGPU(jnp.asarray(array), layout)])
def test_squeeze(make):
    tensor = make(CUBE, "NHWC")
    assert tensor.squeeze(0) is False
    assert (tensor.shape(), tensor.layout()) == ([2, 1, 3, 4], "NHWC")
    assert tensor.squeeze(-3) is True
    assert (tensor.shape(), tensor.layout(), tensor.ndim()) == ([2, 3, 4], "NWC", 3)
    assert tensor.squeeze() is False
    several = make(np.zeros((1, 2, 1)), "ABC")
    assert several.squeeze() is True
    assert (several.shape(), several.layout()) == ([2], "B")
    with pytest.raises(ConfigError, match=r"squeeze\(1\) of a tensor of 1 dimensions; dim is from -1 to 0"):
        several.squeeze(1)


@pytest.mark.parametrize(
    "thing", [TensorCPU(CUBE[0]), TensorListCPU(CUBE), on_device(layout=None), on_device()[0]], ids=type
)
def test_set_layout(thing):
    thing.set_layout("ABC")
    assert thing.layout() == "ABC"
    with pytest.raises(ConfigError, match="The layout 'AB' cannot describe 3-dimensional data"):
        thing.set_layout("AB")
    assert thing.layout() == "ABC"
    thing.set_layout(None)
    assert thing.layout() == ""


def test_properties():
    tensor = TensorCPU(CUBE, "NHWC", source_info="a.jpg")
    assert (tensor.get_property("layout"), tensor.get_property("source_info")) == ("NHWC", "a.jpg")
    assert TensorCPU(CUBE).get_property("source_info") is None and TensorCPU(CUBE).source_info() == ""
    with pytest.raises(ConfigError, match="no property 'shape'; there are layout, source_info"):
        tensor.get_property("shape")


def test_addresses():
    tensor, batch = TensorCPU(CUBE), TensorListCPU(CUBE)
    assert tensor.data_ptr() == batch.data_ptr() == CUBE.ctypes.data
    listed = TensorListCPU(list(CUBE))
    read = np.ctypeslib.as_array((ctypes.c_int16 * 24).from_address(listed.data_ptr()))
    np.testing.assert_array_equal(read, CUBE.ravel())
    with pytest.raises(ConfigError, match="do not all have the same shape"):
        TensorListCPU(RAGGED).data_ptr()
    array = jnp.asarray(CUBE)
    assert TensorGPU(array).data_ptr() == array.unsafe_buffer_pointer()


@pytest.mark.parametrize(
    "samples", [CUBE, list(CUBE), RAGGED, CUBE.transpose()], ids=["dense", "listed", "ragged", "strided"]
)
@pytest.mark.parametrize("pointer", [int, ctypes.c_void_p])
def test_copy_to_external(samples, pointer):
    batch = TensorListCPU(samples)
    flat = np.concatenate([np.asarray(sample).ravel() for sample in samples])
    room = np.full(len(flat) + 1, 99, flat.dtype)
    batch.copy_to_external(pointer(room.ctypes.data))
    np.testing.assert_array_equal(room, [*flat, 99])
    room[:] = 99
    batch[1].copy_to_external(pointer(room.ctypes.data))
    size = np.asarray(samples[1]).size
    np.testing.assert_array_equal(room, [*np.asarray(samples[1]).ravel(), *[99] * (len(room) - size)])


@pytest.mark.parametrize("wrong", [0, None, "text", True, ctypes.c_void_p(0)])
def test_copy_to_nowhere(wrong):
    for thing in (TensorCPU(CUBE), TensorListCPU(CUBE)):
        with pytest.raises(ConfigError, match="expects the address of memory"):
            thing.copy_to_external(wrong)


def test_reshaped():
    batch = TensorListCPU(CUBE, "HWC")
    tensor = batch.as_reshaped_tensor([2, 12])
    assert (tensor.shape(), tensor.layout()) == ([2, 12], "")
    np.testing.assert_array_equal(tensor, CUBE.reshape(2, 12))
    with pytest.raises(ConfigError, match=r"of shape \(2, 1, 3, 4\) cannot be reshaped to \(5, 12\)"):
        batch.as_reshaped_tensor([5, 12])


def test_lists_of_tensors_and_lists():
    batch = TensorListCPU([TensorCPU(sample, "HW") for sample in RAGGED])
    assert batch.layout() == "HW" and [sample.tolist() for sample in map(np.asarray, batch)] == [
        s.tolist() for s in RAGGED
    ]
    assert TensorListCPU(batch, "AB").layout() == "AB" and TensorListCPU(batch).layout() == "HW"
    same = TensorListCPU.broadcast(TensorCPU(RAGGED[1], "HW"), 3)
    assert (len(same), same.layout(), same.at(2).tolist()) == (3, "HW", RAGGED[1].tolist())
    taken = TensorListCPU.from_dlpack_list([jnp.ones(2), np.zeros(3, np.float32)])
    assert taken.shape() == [(2,), (3,)]
    assert TensorCPU(TensorCPU(CUBE, "NHWC")).layout() == "NHWC"


def test_what_is_printed():
    assert str(TensorCPU(RAGGED[0], "HW")) == "TensorCPU(dtype=DALIDataType.UINT8, layout='HW', shape=[1, 2])\n[[1 1]]"
    lines = str(TensorListCPU([np.int32([n]) for n in range(9)])).splitlines()
    assert lines[0].startswith("TensorListCPU(dtype=DALIDataType.INT32, layout='', num_samples=9, shape=9 x (1,)")
    assert lines[1:] == ["0: [0]", "1: [1]", "2: [2]", "...", "6: [6]", "7: [7]", "8: [8]"]
    assert repr(on_device()[0]) == "TensorGPU(dtype=DALIDataType.INT16, layout='HWC', shape=[1, 3, 4])"


def test_lists_on_a_device():
    batch = on_device()
    assert (len(batch), batch.ndim(), batch.dtype, batch.is_dense_tensor()) == (2, 3, types.INT16, True)
    tensors = list(batch)
    assert [type(tensor) for tensor in tensors] == [TensorGPU] * 2
    np.testing.assert_array_equal(jnp.asarray(tensors[1]), CUBE[1])
    np.testing.assert_array_equal(jnp.from_dlpack(tensors[1]), CUBE[1])
    np.testing.assert_array_equal(tensors[-1].as_cpu(), CUBE[1])
    assert tensors[0].device_id() == 0 and tensors[0].as_cpu().layout() == "HWC"
    whole = batch.as_tensor()
    assert (whole.layout(), whole.shape()) == ("NHWC", [2, 1, 3, 4])
    np.testing.assert_array_equal(np.asarray(whole), CUBE)
    for wrong in (2, -3):
        with pytest.raises(IndexError, match="Index is out-of-range"):
            batch[wrong]
    ragged = TensorListGPU(ArrayBacking(jnp.zeros((2, 3)), jnp.array([[2], [3]])), "W")
    assert ragged.shape() == [(2,), (3,)] and len(ragged[0]) == 2
    with pytest.raises(ConfigError, match="do not all have the same shape"):
        ragged.as_tensor()


def test_a_readers_samples_know_their_file(tmp_path):
    files = []
    for k in range(3):
        files.append(str(tmp_path / f"{k}.bin"))
        (tmp_path / f"{k}.bin").write_bytes(bytes([k] * 4))
    pipe = Pipeline(batch_size=3, py_num_workers=0)
    with pipe:
        content, labels = fn.readers.file(files=files)
        turned = fn.permute_batch(content, indices=[1, 2, 0])
        pixels = fn.reshape(content, shape=[2, 2, 1], layout="HWC")
        pasted = fn.multi_paste(pixels, fn.permute_batch(pixels, indices=[2, 0, 1]), output_size=(2, 2))
        chosen = fn.permute_batch(content, indices=fn.reshape(fn.cast(labels, dtype=types.INT32), shape=[]))
        last = fn.multi_paste(pixels, in_ids=[0, 2], output_size=(2, 2))
        again = fn.permute_batch(turned, indices=[0, 0, 1])
        pipe.set_outputs(content, labels, content + 1, turned, again, pasted, last, chosen)
    *own, mixed, again, pasted, last, chosen = ([tensor.source_info() for tensor in output] for output in pipe.run())
    assert own == [files] * 3
    assert mixed == [files[1], files[2], files[0]] and again == [files[1], files[1], files[2]]
    # All that is pasted.
    assert pasted == [f"{files[k]};{files[(k + 2) % 3]}" for k in range(3)] and last == [f"{files[0]};{files[2]}"] * 3
    # What data decide is known to nobody but the program.
    assert chosen == [""] * 3
    assert pipe.run()[3][-1].source_info() == files[0]
    (batch,) = of(lambda info: np.zeros(2)).run()
    assert batch[0].source_info() == ""


# The attributes of DALI 2.4.0's classes on the CPU, without `reinterpret` and `reset`.
TENSOR = (
    *("__array_interface__", "__dlpack__", "__dlpack_device__", "as_cpu", "copy_to_external", "data_ptr", "dtype"),
    *("get_property", "layout", "ndim", "set_layout", "shape", "source_info", "squeeze"),
)
LIST = (
    *("__getitem__", "__len__", "as_array", "as_cpu", "as_reshaped_tensor", "as_tensor", "at", "broadcast"),
    *(
        "copy_to_external",
        "data_ptr",
        "dtype",
        "from_dlpack_list",
        "is_dense_tensor",
        "layout",
        "ndim",
        "set_layout",
        "shape",
    ),
)


@pytest.mark.parametrize(("cls", "names"), [(TensorCPU, TENSOR), (TensorListCPU, LIST)])
def test_every_name_of_dalis_classes_is_there(cls, names):
    assert [name for name in names if not hasattr(cls, name)] == []
    assert [name for name in ("reinterpret", "reset") if hasattr(cls, name)] == []


def test_a_list_on_the_device_as_one_tensor():
    batch = on_device()
    tensor = batch.as_reshaped_tensor([4, 6])
    assert isinstance(tensor, TensorGPU) and tensor.layout() == ""
    np.testing.assert_array_equal(np.asarray(tensor), CUBE.reshape(4, 6))
    with pytest.raises(ConfigError, match=r"a batch of shape \(2, 1, 3, 4\) cannot be reshaped to \(5, 5\)"):
        batch.as_reshaped_tensor([5, 5])
    read = np.ctypeslib.as_array((ctypes.c_int16 * 24).from_address(batch.data_ptr()))
    np.testing.assert_array_equal(read, CUBE.ravel())
    assert batch.device_id() == batch[0].device_id() == 0
    ragged = TensorListGPU(ArrayBacking(jnp.zeros((2, 4)), jnp.asarray([[3], [4]], jnp.int32)))
    for refused in (ragged.data_ptr, lambda: ragged.as_reshaped_tensor([7])):
        with pytest.raises(ConfigError, match="do not all have the same shape"):
            refused()
