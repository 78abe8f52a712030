"""How large images become: the size rules of DALI's resize family.

The same code has two uses. On the device, `resized_extents` computes how large each image becomes and which region of
it is sampled; every platform and NumPy give the same numbers, because each operation rounds once (exact_arithmetic.py).
On the host, `bound_extents` computes before a batch is dispatched how large its results can become, and `bound_sizes`
does so for any batch.

In come extents `int32[N, axes]`, and the arguments of a resize as `Sizes`. `sizes_of` checks them, makes columns
`float32[N]` of them, and has size_rules.py order the regions, resolve the sizes, and lay the regions out. Out goes
`Resized`, with None for regions that are whole images and for mirroring that cannot be; in NumPy if everything came
from the host. It relies on nothing about the images but their extents.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from jaxdali.errors import ConfigError
from .exact_arithmetic import to_float32
from .image_arguments import check_number, is_host
from .size_rules import MODES, region_columns, region_of_interest, resolve_sizes

__all__ = ["MODES", "Resized", "Sizes", "bound_extents", "bound_sizes", "resized_extents", "sizes_of"]


class Resized(NamedTuple):
    """What `resized_extents` returns, for N images."""

    extents: Any
    """`int32[N, 2]`, height and width of each result; 0 along an axis along which an image has no pixels."""
    region: Any
    """`float32[N, 4]`, y_lo, y_hi, x_lo, x_hi: what of each image is sampled, in pixels of the image after it was mirrored;
    may reach beyond it. None where it is all of every image."""
    mirrored: Any
    """`bool[N, 2]`, whether each image is mirrored before it is resized, top to bottom and left to right. None: none is."""


class Sizes(NamedTuple):
    """The arguments of a resize that decide sizes, in DALI's terms. `None`: not given.

    Each may be one for all images or one per sample, a host value or a `jax.Array`. `resize_x`, `resize_y`,
    `resize_shorter` and `resize_longer` are numbers or `[N]`; `size`, `max_size`, `roi_start` and `roi_end` are one
    number for both axes, a pair (y, x) of numbers or `[N]`, or `[N, 2]`. All may be fractional. For volumes they are
    `(z, y, x)` and `[N, 3]`.
    """

    resize_x: Any = None
    resize_y: Any = None
    resize_shorter: Any = None
    resize_longer: Any = None
    size: Any = None
    mode: str | None = None
    max_size: Any = None
    roi_start: Any = None
    roi_end: Any = None
    roi_relative: bool = False
    subpixel_scale: bool = True
    resize_z: Any = None
    axes: int = 2
    """3 of volumes."""

    @property
    def rule(self) -> str:
        """One of MODES."""
        if self.resize_shorter is not None:
            return "not_smaller"
        if self.resize_longer is not None:
            return "not_larger"
        return self.mode or "default"

    @property
    def requested(self) -> tuple[Any, ...]:
        """The requested extents (y, x), for volumes (z, y, x): each a number or `[N]`; 0 if an axis is open."""
        for both in (self.resize_shorter, self.resize_longer):
            if both is not None:
                return (both,) * self.axes
        if self.size is not None:
            return self.each("size")
        given = (self.resize_z, self.resize_y, self.resize_x)[-self.axes :]
        return tuple(0 if one is None else one for one in given)

    @property
    def is_host(self) -> bool:
        """Whether no argument is an array on a device."""
        return all(is_host(part) for value in self for part in (value if isinstance(value, tuple | list) else (value,)))

    def each(self, name: str) -> tuple[Any, ...]:
        """Returns one value per axis of an argument that may have one value for all axes."""
        value, axes = getattr(self, name), self.axes
        if isinstance(value, tuple | list):
            if len(value) == axes:
                return tuple(value)
        elif np.ndim(value) == 0:
            return (value,) * axes
        elif np.ndim(value) <= 2 and np.shape(value)[-1] == axes:
            return tuple(value[..., axis] for axis in range(axes))
        wanted = "a pair (y, x)" if axes == 2 else "three (z, y, x)"
        raise ConfigError(f"{name} is {value!r}; expected a number, {wanted}, or an array [N, {axes}].")

    def check(self) -> None:
        """Raises ConfigError if arguments contradict each other, or a host value is not a number."""
        given = {
            "resize_x or resize_y": any(one is not None for one in (self.resize_x, self.resize_y, self.resize_z)),
            "resize_shorter": self.resize_shorter is not None,
            "resize_longer": self.resize_longer is not None,
            "size": self.size is not None,
        }
        named = [name for name, is_given in given.items() if is_given]
        if len(named) != 1:
            raise ConfigError(f"a resize takes exactly one of {', '.join(given)}; got {' and '.join(named) or 'none'}.")
        if self.mode is not None and self.mode not in MODES:
            raise ConfigError(f"mode is {self.mode!r}; expected one of {', '.join(map(repr, MODES))}.")
        if self.mode is not None and named[0] in ("resize_shorter", "resize_longer"):
            raise ConfigError(
                f"{named[0]} has a mode of its own, but got mode={self.mode!r} as well. Give size= instead."
            )
        if (self.roi_start is None) != (self.roi_end is None):
            raise ConfigError("roi_start and roi_end belong together; got only one of them.")
        numbers = ("resize_x", "resize_y", "resize_z", "resize_shorter", "resize_longer")
        for name in (*numbers, "size", "max_size", "roi_start", "roi_end"):
            value = getattr(self, name)
            for part in value if isinstance(value, (tuple, list)) else (value,) if value is not None else ():
                check_number(part, name)
                if is_host(part) and not np.all(np.isfinite(np.asarray(part, np.float32))):
                    raise ConfigError(f"{name} is {value!r}; expected finite numbers.")


def resized_extents(
    extents,
    *,
    resize_x=None,
    resize_y=None,
    resize_shorter=None,
    resize_longer=None,
    size=None,
    mode: str | None = None,
    max_size=None,
    roi_start=None,
    roi_end=None,
    roi_relative: bool = False,
    subpixel_scale: bool = True,
) -> Resized:
    """Computes how large each image becomes, and which region of it is sampled.

    Exactly one of `resize_x`/`resize_y`, `resize_shorter`, `resize_longer`, `size` is given; see `Sizes` for their
    forms. An extent of 0 is open. A negative one mirrors the image along its axis.

    * mode "default": an open axis is scaled like the other one; "stretch": it keeps its extent.
    * "not_larger", "not_smaller": both axes are scaled by the same factor, so that no extent exceeds, or falls
      below, the requested one. `resize_longer` and `resize_shorter` are these, with one number for both axes.
    * `max_size` limits the extents: with "default" and "stretch" each separately, else the factor.
    * `roi_start`, `roi_end`: the region to resize, whose extents count, in pixels or (`roi_relative`) in
      fractions of the image; it may leave the image. If the start is after the end, the axis is mirrored.

    Sizes are rounded to the nearest pixel, halves up, and are at least 1. With `subpixel_scale` the region grows or
    shrinks around its middle as rounding changed the extents, so that the requested scale is kept.

    Args:
        extents: `int32[N, 2]` or more columns, height and width of each image.

    Returns:
        `Resized`, in NumPy if everything is a host value, else with `jax.Array`s.

    Raises:
        ConfigError: arguments contradict each other, a shape does not fit, or a host value is not finite.
    """
    sizes = Sizes(
        *(resize_x, resize_y, resize_shorter, resize_longer, size, mode, max_size, roi_start, roi_end),
        roi_relative=roi_relative,
        subpixel_scale=subpixel_scale,
    )
    return sizes_of(extents, sizes)


def sizes_of(extents, sizes: Sizes) -> Resized:
    """`resized_extents` for arguments that are already in a `Sizes`."""
    sizes.check()
    axes = sizes.axes
    if np.ndim(extents) != 2 or np.shape(extents)[1] < axes:
        wanted = "[N, 2] (height, width)" if axes == 2 else "[N, 3] (depth, height, width)"
        raise ConfigError(f"extents have shape {np.shape(extents)}; expected {wanted}.")
    xp = np if is_host(extents) and sizes.is_host else jnp
    extents = xp.asarray(extents)[:, :axes]
    whole = extents.astype(np.float32)

    def columns(pair, name: str):
        return xp.stack([_column(part, name, extents, xp) for part in pair], axis=1)

    wanted = columns(sizes.requested, "size")
    lo, hi = xp.zeros_like(whole), whole
    if sizes.roi_start is not None:
        lo, hi = (columns(sizes.each(name), name) for name in ("roi_start", "roi_end"))
        lo, hi, wanted = region_of_interest(xp, lo, hi, wanted, whole if sizes.roi_relative else None)
    limit = None if sizes.max_size is None else columns(sizes.each("max_size"), "max_size")
    length = xp.where(extents > 0, hi - lo, np.float32(0))
    found = resolve_sizes(xp, wanted, lo, hi, length, sizes.rule, limit, subpixel_scale=sizes.subpixel_scale)
    empty = xp.min(extents, axis=1, keepdims=True) <= 0
    out = xp.where(extents <= 0, 0, found.extents.astype(np.int32))
    return Resized(
        out,
        region_columns(xp, found.low, found.high, whole, found.mirrored, empty) if _is_soft(sizes) else None,
        found.mirrored if _may_mirror(sizes) else None,
    )


def bound_extents(extents, sizes: Sizes) -> np.ndarray:
    """How large results can become: the same numbers as `resized_extents`, because both use the same arithmetic.

    Args:
        extents: `int[N, 2]` or more columns, on the host.
        sizes: host values. In place of numbers that are drawn on the device, give the largest magnitude that they can
            have (never 0), because sizes grow with them. A region of interest that is drawn has no bound here.

    Returns:
        `int32[N, 2]`, (height, width); 0 along an axis along which an image has no pixels.

    Raises:
        ConfigError: as `resized_extents`; a value is on the device.
    """
    if not (is_host(extents) and sizes.is_host):
        raise ConfigError(
            "bounds are computed on the host; got an array on a device. Give the largest number it can hold."
        )
    return sizes_of(np.asarray(extents), sizes).extents


def bound_sizes(sizes: Sizes) -> tuple[int, ...] | None:
    """An upper limit (height, width), for volumes (depth, height, width), of all results for any images; None if the
    arguments imply none.

    Args:
        sizes: arrays on a device imply no limit.

    Raises:
        ConfigError: as `resized_extents`.
    """
    sizes.check()
    requested, limit = sizes.requested, (0,) * sizes.axes if sizes.max_size is None else sizes.each("max_size")
    bounds = []
    for axis in range(sizes.axes):
        known = [math.inf]
        if sizes.rule != "not_smaller" and is_host(requested[axis]):
            magnitudes = np.abs(np.asarray(requested[axis], np.float32))
            if magnitudes.size and magnitudes.min() > 0:
                known.append(float(magnitudes.max()))
        if is_host(limit[axis]):
            limits = np.asarray(limit[axis], np.float32)
            if limits.size and limits.min() > 0:
                known.append(float(limits.max()))
        if not math.isfinite(min(known)):
            return None
        bounds.append(max(1, math.floor(min(known) + 0.5)))
    return tuple(bounds)


def _column(value, name: str, extents, xp):
    """A number or `[N]` as `float32[N]`, with the devices of `extents`."""
    if np.shape(value) not in ((), (len(extents),)):
        raise ConfigError(
            f"{name} has shape {np.shape(value)} for {len(extents)} images; expected a number or one per sample, [N]."
        )
    return to_float32(value) + xp.zeros_like(extents[:, 0], dtype=np.float32)


def _is_soft(sizes: Sizes) -> bool:
    """Whether a region can be anything but the whole image."""
    if sizes.roi_start is not None:
        return True
    if not sizes.subpixel_scale:
        return False
    limits = () if sizes.max_size is None else sizes.each("max_size")
    if sizes.rule == "default" and not all(
        is_host(value) and np.all(np.asarray(value) != 0) for value in sizes.requested
    ):
        return True  # an open axis keeps the aspect ratio
    return sizes.rule not in ("default", "stretch") or not all(
        is_host(value) and np.all(np.asarray(value) % 1 == 0) for value in (*sizes.requested, *limits)
    )


def _may_mirror(sizes: Sizes) -> bool:
    """Whether an axis can be mirrored."""
    if sizes.roi_start is not None:
        edges = zip(sizes.each("roi_start"), sizes.each("roi_end"), strict=True)
        if not all(is_host(lo) and is_host(hi) and np.all(np.asarray(lo) <= np.asarray(hi)) for lo, hi in edges):
            return True
    return not all(is_host(value) and np.all(np.asarray(value) >= 0) for value in sizes.requested)
