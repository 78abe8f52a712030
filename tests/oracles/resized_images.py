"""Images resized by NVIDIA's DALI, and by jaxdali's custom call on the CPU."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import recipes_reference
from jpeg_files import photo
from recipes_reference import Recipe

from jaxdali._device.ffi import load
from jaxdali._device.ffi.recipes import Filter, Geometry, InstructionKind
from jaxdali._device.image.filters import FILTERS
from jaxdali._device.image.sizes import resized_extents

DALI_NAMES = {"nearest": "NN"}  # the others have the same name, in capitals


def photographs(count: int, most: int, seed: int) -> list[np.ndarray]:
    draws = np.random.default_rng(seed)
    return [photo(*draws.integers(20, most, 2).tolist(), seed=k) for k in range(count)]


def noise(count: int, most: int, seed: int) -> list[np.ndarray]:
    draws = np.random.default_rng(seed)
    return [draws.integers(0, 256, (*draws.integers(20, most, 2), 3)).astype(np.uint8) for _ in range(count)]


def by_dali(
    images: list[np.ndarray], operator: str, nodes: dict[str, Any] | None = None, **options: Any
) -> list[np.ndarray]:
    """Returns the results of a DALI operator for images.

    Args:
        nodes: arguments that are arrays, with one row per sample.
        options: other arguments; names of filters are jaxdali's.
    """
    from nvidia.dali import fn, pipeline_def, types

    for name in ("interp_type", "min_filter", "mag_filter"):
        if name in options:
            options[name] = getattr(types, "INTERP_" + DALI_NAMES.get(options[name], options[name].upper()))
    if "dtype" in options:
        options["dtype"] = getattr(types, options["dtype"])

    @pipeline_def(batch_size=len(images), num_threads=2, device_id=None)
    def define():
        source = fn.external_source(lambda: images, layout="HWC")
        drawn = {
            name: fn.external_source(itertools.repeat(list(np.asarray(value, np.float32))))
            for name, value in (nodes or {}).items()
        }
        return getattr(fn, operator)(source, **drawn, **options)

    pipe = define()
    pipe.build()
    (out,) = pipe.run()
    return [np.array(out.at(k)) for k in range(len(images))]


def by_jaxdali(
    images: list[np.ndarray], min_filter: str, mag_filter: str, antialias: bool = True, dtype: Any = None, **sizes: Any
) -> list[np.ndarray]:
    """Resizes the same images with the custom call on the CPU; checks the first one against the NumPy reference."""
    dtype = images[0].dtype if dtype is None else np.dtype(dtype)
    extents = np.asarray([image.shape[:2] for image in images], np.int32)
    found = resized_extents(extents, **sizes)
    zeros, virtual = np.zeros_like(extents), found.extents
    geometry = np.zeros((len(images), len(Geometry)), np.int32)
    geometry[:, Geometry.HEIGHT : Geometry.WIDTH + 1] = extents
    geometry[:, Geometry.MIRROR_Y : Geometry.MIRROR_X + 1] = zeros if found.mirrored is None else found.mirrored
    geometry[:, Geometry.EXTENT_Y : Geometry.EXTENT_X + 1] = virtual
    geometry[:, Geometry.RESULT_HEIGHT : Geometry.RESULT_WIDTH + 1] = virtual
    geometry[:, Geometry.MIN_FILTER :] = FILTERS[min_filter], FILTERS[mag_filter], antialias
    whole = np.stack([zeros[:, 0], extents[:, 0], zeros[:, 0], extents[:, 1]], axis=1)
    region = (whole if found.region is None else found.region).astype(np.float32)
    instructions, constants = np.asarray([InstructionKind.SAMPLE], np.int32), np.zeros((1, 1, 3), np.float32)
    size = tuple(virtual.max(axis=0).tolist())
    recipe = Recipe(geometry, region, instructions, constants, size, images[0].shape[2], dtype)
    canvas = np.zeros((len(images), *extents.max(axis=0), images[0].shape[2]), images[0].dtype)
    for place, image in zip(canvas, images, strict=True):
        place[: image.shape[0], : image.shape[1]] = image
    out = np.zeros((len(images), *size, images[0].shape[2]), dtype)
    status = np.zeros(len(images), np.int32)
    info = np.asarray([image.shape for image in images], np.int32)
    load.cpu_module().images(canvas, info, list(recipe[:4]), [out, status], source=1, color=0, channels_first=[0])
    assert not status.any()
    first = recipe._replace(geometry=geometry[:1], regions=region[:1])
    (expected,), _ = recipes_reference.images(images[:1], [first])
    np.testing.assert_array_equal(out[:1], expected)
    return [image[:height, :width] for image, (height, width) in zip(out, virtual, strict=True)]


def differences(theirs: list[np.ndarray], ours: list[np.ndarray]) -> tuple[float, int]:
    """Returns the fraction of values that differ, and the largest difference; asserts equal shapes."""
    assert [image.shape for image in ours] == [image.shape for image in theirs]
    off = [np.abs(a.astype(np.int64) - b.astype(np.int64)) for a, b in zip(theirs, ours, strict=True)]
    return sum(np.count_nonzero(one) for one in off) / sum(one.size for one in off), max(int(one.max()) for one in off)


# Fraction of values that may differ, and the largest difference in levels.
TOLERANCES = {
    "nearest": (0.0, 0),
    "linear": (0.003, 1),
    "triangular": (0.003, 1),
    "cubic": (0.001, 1),
    "lanczos3": (0.001, 1),
    "gaussian": (0.005, 2),
}
assert set(TOLERANCES) == set(FILTERS) and Filter.NONE not in FILTERS.values()
