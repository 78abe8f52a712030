"""What images are made from: files, or a canvas with shapes."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from jaxdali._base.batch import DEFAULT_DECODER, Codec, Row
from jaxdali.errors import ConfigError
from .call_placement import check_affinity, check_batch, check_decoder, effective_sharding, map_over_batch
from .convert import check_dtype
from .decoding_log import log_decoding
from .encoded import EncodedBatch
from .evaluate import Settings, Target, evaluate_canvas, evaluate_files
from .failure_log import raises_on_error
from .image_arguments import along_batch, check_images, check_shapes, check_size, check_static_integer
from .pixel_program import PIXEL_DTYPES
from .recipe import Recipe, Size

__all__ = ["CanvasInput", "FileInput"]

_CHANNELS = {"RGB": 3, "GRAY": 1}
_COLORS = (*_CHANNELS, "ANY")
_DTYPES = (np.dtype(np.uint8), np.dtype(np.uint16))
_MOST_CHANNELS = 4


@dataclasses.dataclass(frozen=True, eq=False)
class FileInput:
    """The files of a batch.

    Attributes:
        batch: an `EncodedBatch`.
        channels: 3 for RGB, 1 for gray, else the largest number that a file may have.
        own: whether each file keeps its own channels, followed by zeros.
        dtype: uint8 or uint16.
        settings: of the call, known while tracing.
    """

    batch: EncodedBatch
    channels: int
    own: bool
    dtype: np.dtype
    settings: tuple[tuple[str, object], ...]

    @classmethod
    def of(
        cls,
        batch: EncodedBatch,
        color: str,
        *,
        channels: int | None = None,
        dtype: Any = np.uint8,
        canvas: Size | None = None,
        decoder: str = DEFAULT_DECODER,
        jpeg_fancy_upsampling: bool = True,
        threads: int = 0,
        affinity: Sequence[Sequence[int]] = (),
    ) -> FileInput:
        """See `jaxdali.image.open`."""
        check_batch("open", batch)
        if color not in _COLORS:
            raise ConfigError(f"color is {color!r}; expected one of {', '.join(_COLORS)}.")
        own = color == "ANY"
        if own != (channels is not None) or not (channels is None or channels in range(1, _MOST_CHANNELS + 1)):
            raise ConfigError(f'channels is {channels!r} with color={color!r}; expected 1 to 4 with "ANY", else None.')
        if check_dtype(dtype) not in _DTYPES:
            raise ConfigError(f"dtype is {dtype!r}; files are read as uint8 or uint16: convert the images afterwards.")
        log_decoding(number := check_decoder(decoder), bool(jpeg_fancy_upsampling))
        settings = {
            "canvas": None if canvas is None else check_size(canvas),
            "threads": check_static_integer("threads", threads, 0),
            "decoder": number,
            "fancy_upsampling": bool(jpeg_fancy_upsampling),
            "affinity": check_affinity(affinity),
        }
        found = _CHANNELS[color] if channels is None else channels
        return cls(batch, found, own, np.dtype(dtype), tuple(settings.items()))

    @property
    def samples(self) -> int:
        """Number of images in the batch."""
        return len(self.batch)

    @property
    def extents(self) -> Array:
        """`int32[N, 2]`."""
        return self.batch.sizes[:, :2]

    @property
    def own_channels(self) -> Any:
        """`int32[N]`, channels of each image; None: all have `channels`."""
        if not self.own:
            return None
        rows = self.batch.rows
        components = rows[:, Row.COMPONENTS]
        own = jnp.where((rows[:, Row.CODEC] == Codec.JPEG) & (components != 1), 3, components)
        return jnp.clip(own, 1, self.channels)  # any value will do for an image that fails

    @property
    def failures(self) -> Any:
        """Where failures are logged; None: nowhere."""
        return self.batch.failures

    def evaluate(
        self, recipes: Sequence[Recipe], targets: Sequence[Target], on_error: str | None
    ) -> tuple[list[jax.Array], jax.Array]:
        """Results of the recipes, and the statuses of the images, int32[N]."""
        raises = raises_on_error(self.batch.failures, on_error)
        batch = self.batch
        return _of_files(
            batch.bytes,
            batch.rows,
            batch.sizes,
            list(recipes),
            targets=tuple(targets),
            sharding=effective_sharding("open", batch),
            settings=(
                ("channels", self.channels),
                ("own", self.own),
                ("bits", 8 * self.dtype.itemsize),
                ("raise_on_error", raises),
                *self.settings,
            ),
        )


@functools.partial(jax.jit, static_argnames=("targets", "sharding", "settings"))
def _of_files(encoded, rows, sizes, recipes, *, targets, sharding, settings):
    leaves, treedef = jax.tree.flatten(recipes)
    chosen = Settings(targets, treedef, True, **dict(settings))
    samples = rows.shape[0]
    parted = [np.ndim(leaf) > 0 and np.shape(leaf)[0] == samples for leaf in leaves]
    zeros = sizes[:, 0] * 0
    # Gives host values the sharding of the sizes.
    leaves = [_along(leaf, zeros) if along else leaf for leaf, along in zip(leaves, parted, strict=True)]

    def call(encoded, rows, sizes, *leaves):
        return evaluate_files(encoded, rows, sizes, jax.tree.unflatten(treedef, leaves), chosen)

    return map_over_batch(call, sharding, (True, True, True, *parted))(encoded, rows, sizes, *leaves)


def _along(leaf: jax.Array, zeros: jax.Array) -> jax.Array:
    return leaf + zeros.astype(leaf.dtype).reshape((-1,) + (1,) * (np.ndim(leaf) - 1))


@dataclasses.dataclass(frozen=True, eq=False)
class CanvasInput:
    """Images on a canvas.

    Attributes:
        pixels: `[N, H, W, C]`.
        shapes: `int32[N, 3]`; None: each image fills the canvas.
        own: whether images have as many channels as their shapes say, rather than all of the canvas.
    """

    pixels: jax.Array
    shapes: Any
    own: bool = False

    @classmethod
    def of(cls, pixels: ArrayLike, shapes: ArrayLike | None, own_channels: bool) -> CanvasInput:
        """See `Images.of`."""
        pixels = check_images(pixels)
        if shapes is not None:
            check_shapes(shapes, pixels)
        if pixels.dtype not in PIXEL_DTYPES:
            raise ConfigError(
                f"images have dtype {pixels.dtype}; expected one of {', '.join(dtype.name for dtype in PIXEL_DTYPES)}."
            )
        return cls(pixels, shapes, own_channels and shapes is not None)

    @property
    def samples(self) -> int:
        """Number of images on the canvas."""
        return self.pixels.shape[0]

    @property
    def extents(self) -> Array:
        """`int32[N, 2]`."""
        return self.shapes[:, :2]

    @property
    def channels(self) -> int:
        """Channels per pixel."""
        return self.pixels.shape[3]

    @property
    def own_channels(self) -> Any:
        """`int32[N]`, channels of each image; None: all have `channels`."""
        return self.shapes[:, 2] if self.own else None

    @property
    def failures(self) -> Any:
        """None: failures are logged nowhere."""
        return None

    def evaluate(
        self, recipes: Sequence[Recipe], targets: Sequence[Target], on_error: str | None
    ) -> tuple[list[jax.Array], jax.Array]:
        """Results of the recipes, and the statuses of the images, int32[N]."""
        may_fail = any(self._may_fail(recipe, target) for recipe, target in zip(recipes, targets, strict=True))
        raises = raises_on_error(None, on_error) and may_fail
        return _of_canvas(self.pixels, self.shapes, list(recipes), targets=tuple(targets), raises=raises)

    def _may_fail(self, recipe: Recipe, target: Target) -> bool:
        """Whether images can fail. If they can, an error makes the host of a GPU wait for their statuses."""
        is_roomy = all(have >= wanted for have, wanted in zip(target.size, self.pixels.shape[1:3], strict=True))
        fits = target.fits or (is_roomy and recipe.resampling is None and not recipe.padded)
        return bool(recipe.bounds) or not fits


@functools.partial(jax.jit, static_argnames=("targets", "raises"))
def _of_canvas(pixels, shapes, recipes, *, targets, raises):
    channels = pixels.shape[3]
    settings = Settings(targets, jax.tree.structure(recipes), False, channels, raise_on_error=raises)
    whole = jnp.asarray([pixels.shape[1:]], jnp.int32)
    if shapes is None:
        shapes = along_batch(whole, pixels)
    else:
        shapes = along_batch(shapes, pixels)
        # An image larger than its canvas failed when it was decoded. It is not to fail again.
        shapes = jnp.where((shapes[:, :2] <= whole[:, :2]).all(axis=1, keepdims=True), shapes, 0)
    # The calls take a canvas of at least one pixel, of which images without pixels show nothing.
    pixels = jnp.pad(pixels, [(0, int(axis in (1, 2) and not extent)) for axis, extent in enumerate(pixels.shape)])
    return evaluate_canvas(pixels, shapes, recipes, settings)
