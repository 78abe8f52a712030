"""Functions of images inside a user's `jax.shard_map`, which may check what varies over its devices."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

from jaxdali import image
from jaxdali._device.image.level_changes import CHANGES, change_levels, sharpen

FUNCTIONS = {
    "rotate": lambda images, numbers: image.rotate(images, numbers * 30),
    "blur": lambda images, numbers: image.gaussian_blur(images, numbers, max_radius=5),
    "blur of any radius": image.gaussian_blur,
    "equalize": lambda images, numbers: change_levels(images, CHANGES.index("equalize"), numbers),
    "sharpen": sharpen,
}


@pytest.mark.parametrize("checks", [True, False])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_device_makes_its_part(name, checks):
    function = FUNCTIONS[name]
    images = np.random.default_rng(0).integers(0, 256, (4, 12, 10, 3), dtype=np.uint8)
    numbers = np.linspace(0.3, 1.5, 4, dtype=np.float32)
    mesh = jax.make_mesh((2,), ("part",), axis_types=(jax.sharding.AxisType.Auto,))
    parted = jax.jit(jax.shard_map(function, mesh=mesh, in_specs=P("part"), out_specs=P("part"), check_vma=checks))
    np.testing.assert_array_equal(parted(images, numbers), function(images, numbers))


@pytest.mark.parametrize("checks", [True, False])
@pytest.mark.parametrize("same", ["images", "numbers"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_some_operands_are_the_same_on_all_devices(name, same, checks):
    function = FUNCTIONS[name]
    images = np.random.default_rng(0).integers(0, 256, (2 if same == "images" else 4, 12, 10, 3), dtype=np.uint8)
    numbers = np.linspace(0.3, 1.5, 2 if same == "numbers" else 4, dtype=np.float32)
    mesh = jax.make_mesh((2,), ("part",), axis_types=(jax.sharding.AxisType.Auto,))
    specs = (P(), P("part")) if same == "images" else (P("part"), P())
    parted = jax.jit(jax.shard_map(function, mesh=mesh, in_specs=specs, out_specs=P("part"), check_vma=checks))
    if checks:
        alike = jax.shard_map(function, mesh=mesh, in_specs=specs, out_specs=P())
        with pytest.raises(ValueError, match="out_specs"):
            jax.eval_shape(alike, images, numbers)
    whole = [np.concatenate([operand] * (4 // len(operand))) for operand in (images, numbers)]
    np.testing.assert_array_equal(parted(images, numbers), function(*whole))
