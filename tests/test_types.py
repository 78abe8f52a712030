import copy
import dataclasses
import pickle
import subprocess
import sys

import jax.numpy as jnp
import numpy as np
import pytest

from jaxdali import types
from jaxdali._feed.source.parts import BatchPart
from jaxdali.errors import ConfigError, ConfigTypeError, StateError

# The values in DALI 2.4.0.
NUMBERS = {
    "DALIDataType": {
        **{"NO_TYPE": -1, "UINT8": 0, "UINT16": 1, "UINT32": 2, "UINT64": 3, "INT8": 4, "INT16": 5},
        **{"INT32": 6, "INT64": 7, "FLOAT16": 8, "FLOAT": 9, "FLOAT64": 10, "BOOL": 11, "STRING": 12, "FEATURE": 17},
        **{"IMAGE_TYPE": 20, "DATA_TYPE": 21, "INTERP_TYPE": 22, "TENSOR_LAYOUT": 23, "PYTHON_OBJECT": 24},
    },
    "DALIInterpType": {
        **{"INTERP_NN": 0, "INTERP_LINEAR": 1, "INTERP_CUBIC": 2, "INTERP_LANCZOS3": 3},
        **{"INTERP_TRIANGULAR": 4, "INTERP_GAUSSIAN": 5},
    },
    "DALIImageType": {"RGB": 0, "BGR": 1, "GRAY": 2, "YCbCr": 3, "ANY_DATA": 4},
    "PipelineAPIType": {"BASIC": 0, "ITERATOR": 1, "SCHEDULED": 2},
}


@pytest.mark.parametrize("name", NUMBERS)
def test_enums_have_dalis_numbers(name):
    kind = getattr(types, name)
    assert {member.name: int(member) for member in kind} == NUMBERS[name]
    for member in kind:
        assert str(member) == f"{member}" == f"{name}.{member.name}"
        assert repr(member) == f"<{name}.{member.name}: {int(member)}>"
        assert pickle.loads(pickle.dumps(member)) is member
        if name != "PipelineAPIType":
            assert getattr(types, member.name) is member


@pytest.mark.parametrize(
    ("dali_type", "numpy_type"),
    [
        (types.UINT8, np.uint8),
        (types.UINT16, np.uint16),
        (types.UINT32, np.uint32),
        (types.UINT64, np.uint64),
        (types.INT8, np.int8),
        (types.INT16, np.int16),
        (types.INT32, np.int32),
        (types.INT64, np.int64),
        (types.FLOAT16, np.float16),
        (types.FLOAT, np.float32),
        (types.FLOAT64, np.float64),
        (types.BOOL, np.bool_),
    ],
)
def test_numpy_types(dali_type, numpy_type):
    assert types.to_numpy_type(dali_type) is numpy_type
    for spelling in (numpy_type, np.dtype(numpy_type), np.dtype(numpy_type).name):
        assert types.from_numpy_type(spelling) is dali_type


@pytest.mark.parametrize("wrong", [types.NO_TYPE, types.RGB, types.INTERP_NN, 0, "complex64", None])
def test_what_has_no_numpy_type(wrong):
    with pytest.raises(ConfigError, match=r"expected a type of samples, such as .*; there are types.UINT8, types"):
        types.to_numpy_type(wrong)


@pytest.mark.parametrize("wrong", [np.int64, np.dtype(np.int64), "int64"])
def test_a_type_of_numpys_in_place_of_dalis(wrong):
    with pytest.raises(ConfigError, match=r"expected a type of samples, .*, got .*int64.*; write types\.INT64"):
        types.to_numpy_type(wrong)


@pytest.mark.parametrize("wrong", ["complex64", "nonsense", None, "datetime64[s]", object])
def test_what_has_no_dali_type(wrong):
    with pytest.raises(ConfigError, match="has no DALI type; expected one of uint8"):
        types.from_numpy_type(wrong)


def test_sample_info():
    info = types.SampleInfo(10, 2, 1, 3)
    expected = {"idx_in_epoch": 10, "idx_in_batch": 2, "iteration": 1, "epoch_idx": 3}
    assert vars(info) == expected
    assert repr(info) == "SampleInfo(idx_in_epoch=10, idx_in_batch=2, iteration=1, epoch_idx=3)"
    assert info == types.SampleInfo(**expected) != types.SampleInfo(10, 2, 1, 4)
    assert len({info, types.SampleInfo(**expected)}) == 1
    assert pickle.loads(pickle.dumps(info)) == info


def test_batch_info():
    info = types.BatchInfo(4, 1)
    assert vars(info) == {"iteration": 4, "epoch_idx": 1}
    assert repr(info) == "BatchInfo(iteration=4, epoch_idx=1)"
    assert info == types.BatchInfo(iteration=4, epoch_idx=1) != types.BatchInfo(4, 2)
    assert pickle.loads(pickle.dumps(info)) == info


PLAIN = {
    "SampleInfo": (types.SampleInfo, types.sample_info_type),
    "BatchInfo": (types.BatchInfo, types.batch_info_type),
}


@pytest.mark.parametrize(("plain", "seeded"), PLAIN.values(), ids=PLAIN)
def test_a_seed_does_not_show(plain, seeded):
    fields = range(10, 10 + len(dataclasses.fields(plain)))
    kind = seeded(5)
    info, same = kind(*fields), plain(*fields)
    assert kind is seeded(5) is not seeded(6) and seeded(None) is plain
    assert isinstance(info, plain) and repr(info) == repr(same) and kind.__name__ == plain.__name__
    assert info == same and same == info and hash(info) == hash(same) and len({info, same, seeded(6)(*fields)}) == 1
    assert info != kind(*fields[:-1], 99) and info != tuple(fields)
    assert vars(info) == vars(same)
    info.rng.random()
    assert vars(info) == vars(same)


@pytest.mark.parametrize(("plain", "seeded"), PLAIN.values(), ids=PLAIN)
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda info: pickle.loads(pickle.dumps(info))])
def test_a_copy_draws_the_same_from_its_beginning(plain, seeded, duplicate):
    info = seeded(5)(*range(len(dataclasses.fields(plain))))
    first = info.rng.random()
    twin = duplicate(info)
    assert twin == info and type(twin) is type(info)
    assert twin.rng.random() == first != info.rng.random()
    assert type(duplicate(plain(*vars(info).values()))) is plain


def first_draw(kind, seed, *fields):
    return kind(seed)(*fields).rng.bit_generator.random_raw()


def test_random_numbers_are_a_function_of_seed_epoch_and_index():
    """These values must never change, so that data can be drawn again with any version."""
    assert first_draw(types.sample_info_type, 5, 10, 2, 1, 3) == 11474170640250086040
    assert first_draw(types.batch_info_type, 5, 10, 3) == 13377074512167674969
    assert first_draw(types.sample_info_type, (1 << 64) - 1, 10, 2, 1, 3) == 7939071596940899296


def test_random_numbers_follow_the_documented_formula():
    seed, epoch, index = (1 << 63) + 12345, 3, 10
    for kind, fields, stream in (
        (types.sample_info_type, (index, 2, 1, epoch), 0),
        (types.batch_info_type, (index, epoch), 1),
    ):
        key = np.array([seed, stream], "u8")
        counter = np.array([0, 0, epoch, index], "u8")
        expected = np.random.Generator(np.random.Philox(key=key, counter=counter)).standard_normal(5)
        np.testing.assert_array_equal(kind(seed)(*fields).rng.standard_normal(5), expected)


def test_random_numbers_do_not_depend_on_the_batch():
    draws = {
        first_draw(types.sample_info_type, 5, 12, 12 % batch_size, 12 // batch_size, 1) for batch_size in (1, 3, 5, 20)
    }
    assert len(draws) == 1


def test_random_numbers_of_different_samples_differ():
    samples = {
        first_draw(types.sample_info_type, seed, index, 0, 0, epoch)
        for seed in range(4)
        for index in range(20)
        for epoch in range(4)
    }
    batches = {
        first_draw(types.batch_info_type, seed, index, epoch)
        for seed in range(4)
        for index in range(20)
        for epoch in range(4)
    }
    assert len(samples | batches) == 2 * 320


@pytest.mark.parametrize("count", [1, 2, 4, 8])
def test_random_numbers_of_a_row_do_not_depend_on_the_parts(count):
    """Part k of `count` has rows 8 / count * k and following of each batch of 8."""
    rows = 8 // count
    found = {}
    for part in range(count):
        kind = types.sample_info_type(5, BatchPart(part, count, rows))
        for index in range(3 * rows):
            iteration, row = divmod(index, rows)
            info = kind(index, row, iteration, 1)
            assert info.idx_in_epoch == index
            found[8 * iteration + rows * part + row] = copy.copy(info).rng.bit_generator.random_raw()
    assert found == {index: first_draw(types.sample_info_type, 5, index, 0, 0, 1) for index in range(24)}


def test_batches_of_different_parts_draw_different_numbers():
    draws = {
        types.batch_info_type(5, BatchPart(part, 4, 2))(iteration, 0).rng.bit_generator.random_raw()
        for part in range(4)
        for iteration in range(5)
    }
    assert draws == {first_draw(types.batch_info_type, 5, iteration, 0) for iteration in range(20)}


def test_an_info_keeps_its_generator():
    info = types.sample_info_type(5)(10, 2, 1, 3)
    assert info.rng is info.rng
    assert info.rng.random() != info.rng.random()


@pytest.mark.parametrize(("plain", "seeded"), PLAIN.values(), ids=PLAIN)
def test_without_a_seed_there_are_no_random_numbers(plain, seeded):
    name = plain.__name__
    info = plain(*range(len(dataclasses.fields(plain))))
    words = rf"only a {name} that a pipeline gives.*types.{seeded.__name__}\(seed\)"
    with pytest.raises(StateError, match=words):
        _ = info.rng


def test_types_load_neither_jax_nor_pillow():
    program = "import sys, jaxdali.types; print(sorted({'jax', 'PIL'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout.strip() == "[]", result.stderr


@pytest.mark.parametrize("shape", [[1 << 62], [1 << 16, 1 << 16], [10**40], [0, 1 << 31]], ids=str)
def test_a_constant_of_absurd_shape_is_refused(shape):
    with pytest.raises(ConfigError, match="numbers"):
        types.Constant(1, shape=shape)


CONVERSIONS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]


@pytest.mark.parametrize("name", [*CONVERSIONS, *FLOATS])
def test_a_constant_of_one_number_is_converted_by_its_methods(name):
    one = types.Constant(127.5)
    assert type(one) is types.ScalarConstant and one.dtype is types.FLOAT
    converted = getattr(one, name)()
    assert type(converted) is types.ScalarConstant and converted.dtype is types.to_dali_type(name)
    assert converted.value == np.dtype(name).type(127.5) and converted.shape == []


def test_conversions_of_constants_saturate_and_cut_off():
    found = [types.Constant(value).uint8().value.item() for value in (300, -1, 2.9, 1 << 20, -2.5, True)]
    assert found == [255, 0, 2, 255, 0, 1]
    assert (
        types.Constant(-1.7).int32().value == -1 and types.Constant(1e300, types.FLOAT64).int64().value == (1 << 63) - 1
    )
    with pytest.raises(ConfigError, match="out of range"):
        types.Constant(float("nan")).int8()


def test_constants_of_one_number_are_numbers_of_python():
    assert int(types.Constant(3)) == 3 and float(types.Constant(3).float32()) == 3.0 and not types.Constant(0)
    with pytest.raises(ConfigTypeError, match=r"not a whole number; convert it, for example with .int32\(\)"):
        int(types.Constant(3.5))
    with pytest.raises(ConfigTypeError, match=r"not a float; convert it, for example with .float32\(\)"):
        float(types.Constant(3))


def test_constants_of_several_numbers_or_with_a_shape_are_no_scalars():
    for one in (types.Constant([1]), types.Constant(1, shape=(2,)), types.Constant(1, device="cpu")):
        assert (
            isinstance(one, types.Constant) and not isinstance(one, types.ScalarConstant) and not hasattr(one, "uint8")
        )
    assert type(types.Constant(np.float16(2))) is types.ScalarConstant
    with pytest.raises(ConfigError, match="is one number"):
        types.ScalarConstant([1, 2])
    assert types.ConstantNode("cpu", [1, 2], types.UINT8, None, "X").layout == "X"


def test_types_of_frameworks_by_their_names():
    for named in (np.float32, np.dtype("float32"), "float32", "torch.float32", float, "float", jnp.float32):
        assert types.to_dali_type(named) is types.FLOAT
    assert [types.to_dali_type(named) for named in (bool, "bool", "half", int)] == [
        types.BOOL,
        types.BOOL,
        types.FLOAT16,
        types.INT32,
    ]
    for named in ("bfloat16", types.FLOAT, None, "", 3):
        with pytest.raises(ConfigTypeError, match="is not a DALI type; expected one of uint8, "):
            types.to_dali_type(named)


def test_types_of_arguments_are_no_types_of_samples():
    for one in (types.STRING, types.DATA_TYPE, types.PYTHON_OBJECT):
        with pytest.raises(ConfigError, match="expected a type of samples"):
            types.to_numpy_type(one)


def test_layouts_and_streams():
    assert (types.NCHW, types.NHWC, types.NFHWC, types.NFCHW, types.SAME) == ("CHW", "HWC", "FHWC", "FCHW", "")
    layout = types.TensorLayout("HWC")
    assert layout == "HWC" and isinstance(layout, str) and str(layout) == "HWC"
    assert types.CUDAStream().ptr == 0 and types.CUDAStream(7).__cuda_stream__() == (0, 7)
    with pytest.raises(ConfigError, match="the handle of a CUDA stream"):
        types.CUDAStream(-1)


def test_a_name_that_types_does_not_have():
    with pytest.raises(AttributeError, match=r"jaxdali\.types has no 'FLOAT31'.* did you mean FLOAT16\?"):
        _ = types.FLOAT31  # pyright: ignore[reportAttributeAccessIssue]
