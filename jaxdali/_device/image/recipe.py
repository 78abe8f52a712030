"""What is made of each image of a source: what is sampled, and what is then done to a pixel.

A recipe is data. Operations extend it; they compute only windows and extents, a few integers per image. Python and
NumPy values in it stay what they are.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..ffi.recipes import Filter
from .bounds import Bound, bounds_behind_cut
from .image_arguments import is_host
from .pixel_program import Instruction

__all__ = ["Flips", "Recipe", "Resampling", "next_stage"]

Size = tuple[int, int]
# Flags, 0 or 1, for the vertical and the horizontal axis: an integer, or `int32[N]`. None: not mirrored.
Flips = tuple[Any, Any]

_NO_FLIPS: Flips = (None, None)

# For each stage, the operations that can follow in the same recipe, and the stage they lead to.
_STAGES = {
    "window": {"cut": "window", "pad_cut": "padded", "flip": "window", "resample": "resized"},
    "resized": {"cut": "resized and cut", "pad_cut": "padded", "flip": "resized"},
    # What a window left out is not fill: so padding needs another pass.
    "resized and cut": {"cut": "resized and cut", "flip": "resized and cut"},
    "padded": {"flip": "padded"},
    "final": {},
}


def next_stage(stage: str, operation: str) -> str | None:
    """The stage of images after an operation; None if it needs another pass, for which the images are evaluated first.

    Args:
        stage: "window" (nothing is resampled yet), "resized", "resized and cut", "padded" or "final".
        operation: "cut", "pad_cut", "flip", "resample", "pixels" (any that works pixel by pixel) or "to_layout".
    """
    if stage != "final" and operation == "pixels":
        return stage
    if stage != "final" and operation == "to_layout":
        return "final"
    return _STAGES[stage].get(operation)


@functools.partial(
    jax.tree_util.register_dataclass, data_fields=("extents", "region"), meta_fields=("size", "filters", "antialias")
)
@dataclasses.dataclass(frozen=True)
class Resampling:
    """How a window is resized.

    Attributes:
        extents: `int32[N, 2]`; None: `size` for all.
        region: `float32[N, 4]`, y_lo, y_hi, x_lo, x_hi in pixels of the window as displayed; None: all of it.
        size: (height, width) of all results, if it is known while tracing.
        filters: for axes that shrink, and for others.
        antialias: whether a filter widens when an axis shrinks.
    """

    extents: Any
    region: Any
    size: Size | None
    filters: tuple[Filter, Filter]
    antialias: bool


@functools.partial(
    jax.tree_util.register_dataclass,
    data_fields=("window", "flips", "resampling", "result", "result_flips", "instructions", "bounds"),
    meta_fields=("window_size", "sample_at", "padded", "dtype", "layout", "channels"),
)
@dataclasses.dataclass(frozen=True)
class Recipe:
    """What is computed for each image, step by step.

    Attributes:
        window: `int32[N, 4]` (top, left, height, width) of each source image; None: all of it.
        flips: how the window is mirrored before it is resampled.
        resampling: how the window is resized; None: pixels are copied.
        result: `int32[N, 4]`, a window of the resampled image; None: all of it. If `padded`, it may extend beyond that
            image and has fill there.
        result_flips: how the result is mirrored.
        instructions: what is done to pixels, in order.
        window_size: that of the windows above, if all have the same and it is known while tracing.
        sample_at: number of instructions before resampling.
        padded: whether the result may extend beyond the resampled image.
        dtype, layout, channels: of the results.
        bounds: what must hold for each image; one for which it does not fails.
    """

    window: Any
    flips: Flips
    resampling: Resampling | None
    result: Any
    result_flips: Flips
    instructions: tuple[Instruction, ...]
    window_size: Size | None
    sample_at: int
    padded: bool
    dtype: np.dtype
    layout: str
    channels: int
    bounds: tuple[Bound, ...] = ()

    @classmethod
    def whole(cls, dtype: np.dtype, channels: int) -> Recipe:
        """The images unchanged."""
        return cls(None, _NO_FLIPS, None, None, _NO_FLIPS, (), None, 0, False, dtype, "HWC", channels)

    @property
    def stage(self) -> str:
        """See `next_stage`."""
        if self.layout != "HWC":
            return "final"
        if self.padded or self.resampling is None:
            return "padded" if self.padded else "window"
        return "resized" if self.result is None else "resized and cut"

    def check_follows(self, operation: str) -> None:
        """Raises ConfigError if the images must be evaluated before an operation, see `next_stage`."""
        if next_stage(self.stage, operation) is None:
            raise ConfigError(
                f"{operation} cannot follow in the same pass over images that are {self.stage}: make arrays of them first, "
                "jaxdali.image.Images.of(images.array(), images.shapes)"
            )

    def bounded(self, bound: Bound | None) -> Recipe:
        """Fails images for which a bound does not hold; None changes nothing."""
        return self if bound is None else dataclasses.replace(self, bounds=(*self.bounds, bound))

    def cut(self, windows: ArrayLike, size: Size | None, extents: ArrayLike | None, bound: Bound | None) -> Recipe:
        """Cuts windows `int32[N, 4]` out of the current images.

        Args:
            size: that of all windows, if they have the same.
            extents: `int32[N, 2]`, of the current images.
            bound: that these contain their windows; None: they do for certain.
        """
        if self.resampling is not None:
            return self._cut_result(windows, extents).bounded(bound)
        windows = _unmirrored(windows, extents, self.flips)
        if self.window is not None:
            windows = _inside(self.window, windows)
        bounds = bounds_behind_cut(self.bounds, self.window, bound)
        return dataclasses.replace(self, window=windows, window_size=size, bounds=bounds)

    def pad_cut(self, windows: ArrayLike, extents: Array, fill: Instruction) -> Recipe:
        """Like `cut`, for windows that may extend beyond the images, with fill there."""
        cut = self
        if self.resampling is None:
            # The whole window is mirrored, including the fill outside the image.
            cut = dataclasses.replace(self, flips=_NO_FLIPS, result_flips=self.flips)
        cut = cut._cut_result(windows, extents)
        return dataclasses.replace(cut, padded=True, instructions=(*self.instructions, fill))

    def _cut_result(self, windows: Array, extents: npt.ArrayLike | None) -> Recipe:
        windows = _unmirrored(windows, extents, self.result_flips)
        if self.result is not None:
            windows = _inside(self.result, windows)
        return dataclasses.replace(self, result=windows)

    def flip(self, vertical: ArrayLike | None, horizontal: ArrayLike | None) -> Recipe:
        """Mirrors the images whose flags are set."""
        name = "flips" if self.resampling is None and not self.padded else "result_flips"
        before = getattr(self, name)
        flips = tuple(_either(one, other) for one, other in zip(before, (vertical, horizontal), strict=True))
        return dataclasses.replace(self, **{name: flips})

    def resample(self, resampling: Resampling) -> Recipe:
        """Resizes the images."""
        return dataclasses.replace(self, resampling=resampling, sample_at=len(self.instructions))

    def run(self, instructions: tuple[Instruction | None, ...], dtype: np.dtype) -> Recipe:
        """Adds instructions, after which pixels have another dtype."""
        added = tuple(instruction for instruction in instructions if instruction is not None)
        return dataclasses.replace(self, instructions=(*self.instructions, *added), dtype=dtype)


def numpy_of(*values: object) -> Any:
    """NumPy if all values are host values, else jax.numpy."""
    return np if all(is_host(value) for value in values) else jnp


def _either(one: Array, other: ArrayLike | None) -> Array:
    """Flags that say whether exactly one of two is set; None: neither."""
    if one is None or other is None:
        return other if one is None else one
    return one ^ other


def _unmirrored(windows: Array, extents: Any, flips: Flips) -> Array:
    """Translates windows of mirrored images to windows of the unmirrored images."""
    if flips == _NO_FLIPS:
        return windows
    xp = numpy_of(windows, extents, *(flag for flag in flips if flag is not None))
    starts = []
    for axis, flag in enumerate(flips):
        start = windows[:, axis]
        mirrored = extents[:, axis] - start - windows[:, 2 + axis]
        starts.append(start if flag is None else start + xp.asarray(flag) * (mirrored - start))
    return xp.concatenate([xp.stack(starts, axis=1), windows[:, 2:]], axis=1)


def _inside(outer: jax.Array, inner: Array) -> Array:
    """Windows of windows."""
    xp = numpy_of(outer, inner)
    return xp.concatenate([outer[:, :2] + inner[:, :2], inner[:, 2:]], axis=1)
