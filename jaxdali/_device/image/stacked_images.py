"""Images of `[N, T]` files or frames: the operations of `Images`, with arguments for all, for each sample, or for each file.

`stacked` opens what a batch with a second axis holds, whose files `Images` sees one after the other. Each operation lays
its arguments out in the same way, and calls that of `Images`; arrays get both axes back.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxdali.errors import ConfigError
from .image_arguments import is_host
from .image_arrays import evaluate_logged
from .images import Images
from .recipe import Size

__all__ = ["RANKS", "StackedImages", "arrays_of", "per_file", "stacked", "unstacked"]

_PAIR = -1  # an array with one axis of its own, or a pair of numbers, either of which may be per sample

# For each operation, the arguments that may differ between samples, and how many axes they have for one image.
_SIZES = dict.fromkeys(("resize_x", "resize_y", "resize_shorter", "resize_longer"), 0)
RANKS: dict[str, dict[str, int]] = {
    "resize": {**_SIZES, **dict.fromkeys(("size", "max_size", "roi_start", "roi_end"), _PAIR)},
    "crop": {"position": _PAIR},
    "resized_crop": {"windows": 1},
    "cut": {"windows": 1},
    "pad_cut": {"windows": 1, "fill": 1},
    "flip": {"horizontal": 0, "vertical": 0},
    "resample": {"extents": _PAIR, "region": 1},
    "brightness_contrast": dict.fromkeys(("brightness", "brightness_shift", "contrast", "contrast_center"), 0),
    "normalize": {"mean": 1, "std": 1},
    "standardize": {"mean": 1, "std": 1},
    "mix": {"matrix": 2},
}


@dataclasses.dataclass(frozen=True, eq=False)
class StackedImages(Images):
    """Images of `[N, T]` files that are not computed yet, such as the frames of N clips.

    Attributes:
        files: `T`.
    """

    files: int = 1

    def __len__(self) -> int:
        return self.input.samples // self.files

    def __repr__(self) -> str:
        return f"Stacked{self._flat!r}".replace(f"({self.input.samples} ", f"({len(self)} x {self.files} ", 1)

    @property
    def extents(self) -> Any:
        """`int32[N, T, 2]`, height and width of each image."""
        return self._stacked(self._flat.extents)

    @property
    def shapes(self) -> Any:
        """`int32[N, T, 3]`, shapes of the images in the order of their layout; None: all have the same size and channels."""
        shapes = self._flat.shapes
        return None if shapes is None else self._stacked(shapes)

    def array(self, canvas: Size | None = None, *, on_error: Any = None) -> Any:
        """The pixels, as `Images.array`.

        Args:
            canvas: (height, width) of the array, at least that of the largest image. None, outside of jit: the largest
                extents.
            on_error: "raise", "zeros" or None, as for `Images.array`.

        Returns:
            `dtype[N, T, H, W, C]`, or `[N, T, C, H, W]`. With `on_error="zeros"` a pair of that and `int32[N, T]`, a
            `jaxdali.image.Status` for each image.
        """
        return jax.tree.map(self._stacked, self._flat.array(canvas, on_error=on_error))

    @property
    def _flat(self) -> Images:
        """The same images without the second axis."""
        return Images(self.input, self.recipe, self.size, self._extents)

    def _stacked(self, value: Any) -> Any:
        return value.reshape(len(self), self.files, *value.shape[1:])


def stacked(flat: Images, files: int) -> StackedImages:
    """The images of `N * T` files as those of `[N, T]`; those of a sample lie together."""
    return StackedImages(flat.input, flat.recipe, flat.size, flat._extents, files)


def arrays_of(images: Sequence[Images], canvases: Sequence[Size | None], on_error: str | None) -> Any:
    """See `jaxdali.image.arrays`."""
    flat = [one._flat if isinstance(one, StackedImages) else one for one in images]
    made = evaluate_logged(flat, canvases, on_error)
    # All are of one input, so all have the axis or none.
    return jax.tree.map(images[0]._stacked, made) if isinstance(images[0], StackedImages) else made


def unstacked(value: Any, rank: int, shape: tuple[int, int], name: str) -> Any:
    """Returns an argument for `N * T` images.

    Args:
        value: one for all images; or one for each sample, `[N, ...]`, or each file, `[N, T, ...]`.
        rank: how many axes it has for one image; `_PAIR`: 1, or it is a pair, each of which has none.
        shape: (N, T).

    Raises:
        ConfigError: it is none of these.
    """
    if rank == _PAIR:
        if isinstance(value, tuple | list):
            return type(value)(unstacked(part, 0, shape, name) for part in value)
        rank = 1
    if value is None or np.ndim(value) <= rank:
        return value
    axes = np.ndim(value) - rank
    lead = np.shape(value)[:axes]
    if axes > 2 or lead != shape[:axes]:
        raise ConfigError(
            f"{name} has shape {np.shape(value)} for {shape[0]} x {shape[1]} files; expected one for all, one for each "
            f"sample, [{shape[0]}, ...], or one for each file, [{shape[0]}, {shape[1]}, ...]"
        )
    xp = np if is_host(value) else jnp
    value = xp.asarray(value)
    own = value.shape[axes:]
    if axes == 1:
        value = xp.broadcast_to(value[:, None], (*shape, *own))
    return value.reshape(shape[0] * shape[1], *own)


def per_file(operation: Callable[..., Any], ranks: dict[str, int]) -> Callable[..., Any]:
    """Returns an operation of `StackedImages` that has `operation` of `Images` do it.

    Args:
        ranks: as in `RANKS`.
    """
    signature = inspect.signature(operation)

    @functools.wraps(operation)
    def call(images: StackedImages, *args: Any, **kwargs: Any) -> StackedImages:
        try:
            given = signature.bind(images, *args, **kwargs).arguments
        except TypeError:  # which the operation explains
            return operation(images._flat, *args, **kwargs)
        shape = len(images), images.files
        given |= given.pop("sizes", {})  # the arguments of `resize` that it takes by any name
        del given["self"]
        given |= {name: unstacked(given[name], ranks[name], shape, name) for name in ranks if name in given}
        return stacked(operation(images._flat, **given), images.files)

    return call


for _name, _ranks in RANKS.items():
    setattr(StackedImages, _name, per_file(getattr(Images, _name), _ranks))
