"""DALI's algorithm for affinity, cell by cell; the results are those of DALI 2.4.0 on two CPUs."""

import os
import subprocess
import sys

import pytest

from jaxdali._base.cpus import assign_cpus, parse_mask
from jaxdali.errors import ConfigError

TWO = (0, 1)


@pytest.mark.parametrize(
    ("mask", "cpus", "refused", "without"),
    [
        ("1", ((1,), (), ()), [], [1, 2]),
        ("0,1", ((0,), (1,), ()), [], [2]),
        ("1,0,1", ((1,), (0,), (1,)), [], []),
        ("0,5", ((0,), (), ()), [1], [2]),
        ("-1,0", ((), (0,), ()), [0], [2]),
        ("0,0,0,0,1", ((0,), (0,), (0,)), [], []),
        (" 1 ,+0", ((1,), (0,), ()), [], [2]),
    ],
)
def test_three_threads_on_two_cpus_without_nvml(mask, cpus, refused, without):
    assert assign_cpus(3, parse_mask("M", mask), TWO, ()) == (cpus, refused, without)


def test_beyond_the_mask_is_what_nvml_suggests():
    # The example of DALI's documentation: five threads, four entries.
    mask, all_cpus = parse_mask("DALI_AFFINITY_MASK", "3,5,6,10"), range(16)
    assert assign_cpus(5, mask, all_cpus, (8, 9, 10)) == (((3,), (5,), (6,), (10,), (8, 9, 10)), [], [])
    assert assign_cpus(5, mask, all_cpus, ()) == (((3,), (5,), (6,), (10,), ()), [], [4])
    assert assign_cpus(2, [], all_cpus, (9, 8)) == (((8, 9), (8, 9)), [], [])


def test_suggested_cpus_must_be_this_process_s():
    assert assign_cpus(2, [], (0, 1, 8), range(6, 12)) == (((8,), (8,)), [], [])
    assert assign_cpus(2, [1], (0, 1), (6, 7)) == (((1,), ()), [], [1])
    # A refused entry is not replaced by the suggested CPUs, as in DALI.
    assert assign_cpus(1, [5], (0, 1), (0,)) == (((),), [0], [])


@pytest.mark.parametrize("text", ["", "a", "1,", ",1", "1;0", "0-1", "1x", "0x1"])
def test_a_mask_that_is_none(text):
    with pytest.raises(ConfigError, match="MASK must be comma-separated ids of CPUs") as caught:
        parse_mask("MASK", text)
    assert isinstance(caught.value, ValueError) and repr(text) in str(caught.value)


NVML = """
class NVMLError(Exception): pass
closed = []
def nvmlInit(): pass
def nvmlShutdown(): print("shut down")
def nvmlDeviceGetHandleByIndex(index):
    if index > 7: raise NVMLError("Invalid Argument")
    return index
def nvmlDeviceGetHandleByUUID(name): return name
def nvmlDeviceGetCpuAffinity(handle, words):
    print(handle, words)
    return [0b1010] + [0] * (words - 2) + [1 << 63]
"""


@pytest.mark.parametrize(
    ("visible", "ordinal", "said"),
    [
        (None, 2, "2 2\nshut down\n((1, 3, 127), '')\n"),
        ("5,3", 1, "3 2\nshut down\n((1, 3, 127), '')\n"),
        ("GPU-ab, GPU-cd", 1, "GPU-cd 2\nshut down\n((1, 3, 127), '')\n"),
        (None, 8, "shut down\n((), 'NVML says: Invalid Argument')\n"),
    ],
)
def test_what_nvml_is_asked_and_says(tmp_path, visible, ordinal, said):
    (tmp_path / "pynvml.py").write_text(NVML)
    code = "import os; os.cpu_count = lambda: 100\n"
    code += f"from jaxdali._device.ffi.nvml import cpus_near_gpu; print(cpus_near_gpu({ordinal}))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    environment.pop("CUDA_VISIBLE_DEVICES", None)
    if visible is not None:
        environment["CUDA_VISIBLE_DEVICES"] = visible
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.stdout == said, done.stderr
