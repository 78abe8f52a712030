"""What the compiler makes of calls on a batch over eight devices: each sees its own rows, and no files are copied."""

import re

import jax
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P
from jpeg_files import pillow_jpeg

from jaxdali.image import EncodedBatch, decode, decode_resample

FILES = [pillow_jpeg(20 + k % 3, 40 - k % 3) for k in range(16)]
COLLECTIVES = ("all-gather", "all-reduce", "all-to-all", "collective-permute", "reduce-scatter")
CALLS = {
    "jaxdali_decode_v1": lambda batch: decode(batch, (24, 40)),
    "jaxdali_images_v1": lambda batch: decode_resample(batch, None, (9, 7), mean=100.0),
}


def make_sharded(axis_type):
    mesh = jax.make_mesh((8,), ("data",), axis_types=(axis_type,))
    sharding = NamedSharding(mesh, P("data"))
    parts = [EncodedBatch.from_encoded(FILES[k : k + 2]) for k in range(0, 16, 2)]
    arrays = (np.concatenate([getattr(part, name) for part in parts]) for name in ("bytes", "rows", "sizes"))
    return EncodedBatch(*jax.device_put(tuple(arrays), sharding), sharding)


def instructions(text):
    """Returns name -> (result, operation, operands) for every instruction of a compiled program."""
    found = re.findall(r"%([\w.-]+) = (\(.*?\)|\S+) ([\w-]+)\((.*)", text)
    return {name: (result, operation, rest) for name, result, operation, rest in found}


@pytest.mark.parametrize("mapped", [False, True], ids=["jit", "shard_map"])
@pytest.mark.parametrize("axis_type", [AxisType.Auto, AxisType.Explicit], ids=["Auto", "Explicit"])
@pytest.mark.parametrize("target", CALLS)
def test_each_call_sees_its_own_rows_and_the_files_stay(target, axis_type, mapped):
    batch, call = make_sharded(axis_type), CALLS[target]
    if mapped:
        call = jax.shard_map(call, mesh=batch.sharding.mesh, in_specs=P("data"), out_specs=P("data"))
    compiled = jax.jit(call).lower(batch).compile()
    text = compiled.as_text()
    assert not any(word in text for word in COLLECTIVES)
    program = instructions(text)
    files = f"u8[1,{batch.bytes.shape[1]}]"
    (found,) = [rest for _, operation, rest in program.values() if operation == "custom-call" and target in rest]
    operands = re.findall(r"%([\w.-]+)", found.partition(")")[0])
    shapes = [program[name][0].partition("{")[0] for name in operands]
    assert shapes[:2] == [files, "s32[2,8]"]
    # Any value of the files' shape is a parameter, or another name for one.
    made = {operation for result, operation, _ in program.values() if result.startswith(files)}
    assert made <= {"parameter", "bitcast", "get-tuple-element"} and "parameter" in made
    np.testing.assert_array_equal(compiled(batch), CALLS[target](EncodedBatch.from_encoded(FILES)))
