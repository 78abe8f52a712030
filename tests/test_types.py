import pickle
import subprocess
import sys

import numpy as np
import pytest

from jaxdali import types
from jaxdali.errors import ConfigError

# The numbers of DALI 2.4.0.
NUMBERS = {
    "DALIDataType": {
        **{"NO_TYPE": -1, "UINT8": 0, "UINT16": 1, "UINT32": 2, "UINT64": 3, "INT8": 4, "INT16": 5},
        **{"INT32": 6, "INT64": 7, "FLOAT16": 8, "FLOAT": 9, "FLOAT64": 10, "BOOL": 11},
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


@pytest.mark.parametrize("wrong", [types.NO_TYPE, types.RGB, types.INTERP_NN, 0, np.uint8, None])
def test_what_has_no_numpy_type(wrong):
    with pytest.raises(ConfigError, match=r"has no NumPy type; expected one of types.UINT8"):
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


def test_types_load_neither_jax_nor_pillow():
    program = "import sys, jaxdali.types; print(sorted({'jax', 'PIL'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout.strip() == "[]", result.stderr
