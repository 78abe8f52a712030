"""The custom call's own errors for operands and attributes that do not fit."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxdali._device.ffi import calls, load


def bind(encoded=(1, 64), rows=(2, 8), pixels=(2, 4, 4, 3), status=(2,), dtype=jnp.uint8, **attributes):
    load.register_targets()
    results = (jax.ShapeDtypeStruct(pixels, jnp.uint8), jax.ShapeDtypeStruct(status, jnp.int32))
    fitting = {
        "raise_on_error": np.bool_(False),
        "threads": np.int32(0),
        "decoder": np.int32(0),
        "affinity": np.zeros(0, np.int32),
    }
    attributes = fitting | {"fancy_upsampling": np.bool_(True)} | attributes
    attributes = {name: value for name, value in attributes.items() if value is not None}
    call = jax.ffi.ffi_call(calls.DECODE_TARGET, results, vmap_method=None)
    return jax.block_until_ready(call(jnp.zeros(encoded, dtype), jnp.zeros(rows, jnp.int32), **attributes))


@pytest.mark.parametrize("affinity", [[], [1, 0], [0, 0, 1, 0], [1], [5, 0], [-1, 0], [2, 0], [1, -1], [1, 1 << 30]])
def test_operands_that_fit(affinity):
    # A list of CPUs that makes no sense leaves the threads where they are.
    assert bind(affinity=np.array(affinity, np.int32))[1].tolist() == [2, 2]


@pytest.mark.parametrize(
    ("operands", "message"),
    [
        ({"encoded": (3, 64)}, "bytes has 3 rows; expected 1, this device's own"),
        ({"encoded": (64,)}, "Wrong buffer rank"),
        ({"dtype": jnp.int8}, "Wrong buffer dtype"),
        ({"rows": (2, 7)}, "rows has 7 columns; expected 8"),
        ({"pixels": (3, 4, 4, 3)}, "2 rows, but results for 3 images"),
        ({"status": (1,)}, "2 rows, but results for 1 statuses"),
        ({"pixels": (2, 4, 4, 4)}, r"4 channels; expected 3 \(RGB\)"),
        ({"threads": np.int32(-1)}, "threads is -1; expected 0"),
        ({"threads": np.int64(1)}, "Failed to decode"),
        ({"threads": None, "thread": np.int32(1)}, "(?s)Failed to decode.*thread"),
        ({"more": np.int32(1)}, "(?s)Failed to decode|attributes"),
    ],
)
def test_operands_that_do_not_fit(operands, message):
    with pytest.raises(jax.errors.JaxRuntimeError, match=message):
        bind(**operands)
