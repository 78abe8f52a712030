"""A batch spread over devices: the same values and no gathers, with Auto and with Explicit axes."""

import os
import subprocess
import sys
import textwrap

PROGRAM = textwrap.dedent(
    """
    import jax, numpy as np
    from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

    from jaxdali._device.image.color import brightness_contrast
    from jaxdali._device.image.geometry import crop, crop_anchor, crop_windows, flip
    from jaxdali._device.image.image_normalize import normalize
    from jaxdali._device.image.image_resize import resize

    rng = np.random.default_rng(0)
    x = rng.integers(0, 256, (8, 12, 17, 3)).astype(np.uint8)
    s = rng.integers([5, 6, 3], [13, 18, 4], (8, 3)).astype(np.int32)
    c = rng.uniform(0, 1, 8).astype(np.float32)
    operands = (x, s, c)
    # Each with parameters that are sharded, and with host values beside a sharded batch.
    functions = [
        lambda x, s, c: brightness_contrast(x, contrast=c, brightness=operands[2]),
        lambda x, s, c: normalize(x, [1, 2, 3], np.arange(1, 25).reshape(8, 3)),
        lambda x, s, c: crop_anchor(s, (5, 6), (c, 0.3)),
        lambda x, s, c: crop_anchor(operands[1], (5, 6), (c, 0.3)),
        lambda x, s, c: crop(x, (0, 0), (5, 6)),
        lambda x, s, c: crop(x, crop_anchor(s, (5, 6), (c, c)), (5, 6), s),
        lambda x, s, c: crop(x, operands[1][:, :2] - [5, 6], (5, 6), operands[1]),
        lambda x, s, c: crop_windows(x, operands[1][:, [0, 1, 0, 1]] // 2),
        lambda x, s, c: crop_windows(x, s[:, jax.numpy.array([0, 1, 0, 1])] // 2, s),
        lambda x, s, c: flip(x, c > 0.5, 1),
        lambda x, s, c: flip(x, c > 0.5, operands[2] > 0.3, s),
        lambda x, s, c: flip(x, c > 0.5, 1, operands[1]),
        lambda x, s, c: resize(x, (7, 20)),
        lambda x, s, c: resize(x, (7, 20), s),
        lambda x, s, c: resize(x, (7, 20), operands[1]),
    ]
    # One program of all of them: to compile it takes as long as a few of them alone.
    every = lambda *operands: [function(*operands) for function in functions]
    alone = jax.jit(every)(*operands)
    for kind in (AxisType.Auto, AxisType.Explicit):
        mesh = jax.make_mesh((4,), ("data",), axis_types=(kind,))
        sharded = [jax.device_put(v, NamedSharding(mesh, P("data"))) for v in operands]
        with jax.set_mesh(mesh):
            compiled = jax.jit(every).lower(*sharded).compile()
            found = compiled(*sharded)
        for word in ("all-gather", "all-reduce", "all-to-all", "collective-permute"):
            assert word not in compiled.as_text(), (kind, word)
        for k, got in enumerate(found):
            assert got.sharding.spec[0] == "data", (kind, k, got.sharding)
            np.testing.assert_array_equal(got, alone[k], err_msg=f"{kind} {k}")
    print("done", len(functions))
    """
)


def test_functions_stay_on_their_devices():
    environment = {
        **os.environ,
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": "--xla_force_host_platform_device_count=4",
    }
    result = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
    assert result.stdout.split() == ["done", "15"], result.stderr
