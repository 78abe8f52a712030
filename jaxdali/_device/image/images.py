"""Images that are not computed yet: an input and a recipe.

Operations extend the recipe; arrays are made in one pass over the input.

In comes a batch: `Images.open` takes files, `Images.of` pixels. Each method checks that its operation can follow in the
same pass, and returns new `Images`, with a longer recipe and the extents that follow. `array` has `evaluate_logged`
compute them. It relies on `Recipe` for the order of things in a recipe, on `next_stage` for what can follow, and on
`bounds` for windows.
"""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax.typing import ArrayLike, DTypeLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError, ConfigTypeError
from . import pixel_program as program
from .bounds import Bound, check_room, check_within, regions_of
from .convert import check_dtype
from .exact_arithmetic import to_float32
from .filters import check_filter
from .geometry import crop_anchor
from .image_arguments import check_size, check_windows, is_host, resized_size, warn_of_scale
from .image_arrays import evaluate_logged
from .lazy_inputs import CanvasInput, FileInput
from .misuse import NotComputed, called_as
from .operation_arguments import check_whole, is_size, per_sample_flag, pixel_dtype
from .pixel_operations import contrast_instructions, moment_instructions, with_more_channels
from .pixel_program import Instruction
from .recipe import Recipe, Resampling, Size, numpy_of
from .sizes import resized_extents

__all__ = ["Images"]


@dataclasses.dataclass(frozen=True, eq=False)
class Images(NotComputed):
    """A batch of images that are not computed yet.

    Attributes:
        input: the files or the canvas that the images are made from.
        recipe: what is computed for each image.
        size: (height, width) of all images, if it is known while tracing; else None.
    """

    input: FileInput | CanvasInput
    recipe: Recipe
    size: Size | None
    _extents: Any

    @classmethod
    def open(cls, batch: Any, *, color: str = "RGB", **options: Any) -> Images:
        """Images of files, which `jaxdali.image.open` describes.

        Args:
            batch: an `EncodedBatch`.
            color: "RGB", "GRAY" or "ANY".
            options: `channels`, `dtype`, `canvas`, `decoder`, `jpeg_fancy_upsampling`, `threads` and `affinity`.

        Raises:
            ConfigError: an argument is out of range.
        """
        made = FileInput.of(batch, color, **options)
        return cls(made, Recipe.whole(made.dtype, made.channels), None, None)

    @classmethod
    def of(cls, pixels: ArrayLike, shapes: ArrayLike | None = None, *, own_channels: bool = False) -> Images:
        """Images on a canvas.

        Args:
            pixels: `[N, H, W, C]`; uint8, int8, int16, uint16, int32, float16, bfloat16 or float32.
            shapes: `int32[N, 3]` (height, width, channels) of each image, in the top left corner; None: they fill it.
            own_channels: images may have different numbers of channels, as `shapes` says; an image's come first.
        """
        made = CanvasInput.of(pixels, shapes, own_channels)
        size = (made.pixels.shape[1], made.pixels.shape[2]) if shapes is None else None
        return cls(made, Recipe.whole(np.dtype(made.pixels.dtype), made.channels), size, None)

    def __len__(self) -> int:
        return self.input.samples

    def __repr__(self) -> str:
        kind = "files" if isinstance(self.input, FileInput) else "images of a canvas"
        size = "sizes of their own" if self.size is None else f"{self.size[0]} x {self.size[1]}"
        recipe = self.recipe
        return f"Images({len(self)} {kind}, {size}, {recipe.channels} channels, {recipe.dtype} {recipe.layout})"

    @property
    def dtype(self) -> np.dtype:
        """That of the pixels."""
        return self.recipe.dtype

    @property
    def channels(self) -> int:
        """Channels per pixel."""
        return self.recipe.channels

    @property
    def layout(self) -> str:
        """Either "HWC" or "CHW"."""
        return self.recipe.layout

    @property
    def stage(self) -> str:
        """What was done so far: "window", "resized", "resized and cut", "padded" or "final"; it says what can follow."""
        return self.recipe.stage

    @property
    def extents(self) -> Array:
        """`int32[N, 2]`, height and width of each image."""
        if self.size is not None:
            return np.broadcast_to(np.asarray(self.size, np.int32), (len(self), 2))
        return self.input.extents if self._extents is None else self._extents

    @property
    def keeps_channels(self) -> bool:
        """Whether images keep their files' own numbers of channels."""
        return self.input.own and self.recipe.channels == self.input.channels

    @property
    def shapes(self) -> Any:
        """`int32[N, 3]`, shapes of the images in the order of their layout; None: all have the same size and channels."""
        own = self.input.own_channels if self.keeps_channels else None
        if self.size is not None and own is None:
            return None
        extents = self.extents
        xp = numpy_of(extents) if own is None else jnp
        channels = extents[:, :1] * 0 + np.int32(self.recipe.channels) if own is None else own[:, None]
        order = [channels, extents] if self.recipe.layout == "CHW" else [extents, channels]
        return xp.concatenate(order, axis=1)

    @called_as("images.resize(size=(height, width)), or images.resize(resize_shorter=256)")
    def resize(
        self, *, filter: str = "linear", antialias: bool = True, dtype: DTypeLike | None = None, **sizes: Any
    ) -> Images:
        """Resizes by the rules of DALI's `fn.resize`.

        Args:
            filter: "nearest", "linear", "cubic", "lanczos3", "triangular" or "gaussian".
            antialias: whether the filter widens when an axis shrinks.
            dtype: that of the result; None: that of the images.
            sizes: `size=(height, width)`, known while tracing, gives all images one size. Others are those of
                `jaxdali.fn.resize`: `resize_x`, `resize_y`, `resize_shorter`, `resize_longer`, `size`, `mode`, `max_size`,
                `roi_start`, `roi_end`, `roi_relative`, `subpixel_scale`; sizes may differ. Both axes are scaled alike even
                where an extent is rounded; `subpixel_scale=False` fits images into whole pixels, as Pillow does.
        """
        options = {"min_filter": filter, "mag_filter": filter, "antialias": antialias, "dtype": dtype}
        if sizes.keys() == {"size"} and is_size(check_whole(sizes["size"])):
            return self.resample(tuple(sizes["size"]), **options)
        if unknown := sizes.keys() - {*(known := list(inspect.signature(resized_extents).parameters)[1:])}:
            hint = f"resized_crop(windows, (height, width)) resizes windows, and resize takes {', '.join(known)}"
            raise ConfigTypeError(f"resize has no argument {min(unknown)!r}; {hint}")
        found = resized_extents(self.extents, **sizes)
        mirrored = self if found.mirrored is None else self.flip(found.mirrored[:, 1], found.mirrored[:, 0])
        return mirrored.resample(found.extents, found.region, **options)

    @called_as("images.crop(height, width)")
    def crop(self, height: int, width: int, position: Any = (0.5, 0.5), rounding: str = "round") -> Images:
        """Cuts a window out of each image. An image that is smaller is TOO_LARGE, like one that does not hold a `cut`.

        Args:
            height: that of the window in pixels.
            width: that of the window in pixels.
            position: (y, x) in the free space, each a scalar or `[N]`: 0 is the top or left, 1 the bottom or right.
            rounding: of the window's corner: "round", halves away from zero, or "truncate".
        """
        size, extents = check_size((height, width)), self.extents
        check_room(size, extents)
        corner = crop_anchor(extents, size, position, rounding)
        # Sums, since on an Explicit mesh both must be cut alike.
        windows = jnp.concatenate([corner, corner * 0 + jnp.asarray([size], corner.dtype)], axis=1)
        return self.cut(windows, size, fits=is_host(extents) and all(map(is_host, position)))

    @called_as("images.center_crop(height, width)")
    def center_crop(self, height: int, width: int) -> Images:
        """Cuts `height` x `width` pixels out of the middle; `crop(rounding="truncate")` does so as Pillow programs do."""
        return self.crop(height, width)

    @called_as("images.resized_crop(windows, (height, width))")
    def resized_crop(
        self,
        windows: ArrayLike,
        size: Size,
        *,
        soft: bool = False,
        filter: str = "linear",
        antialias: bool = True,
        dtype: DTypeLike | None = None,
    ) -> Images:
        """Cuts a window out of each image and resizes it to one size.

        Args:
            windows: `int32[N, 4]` (top, left, height, width), such as
                `jaxdali.random.resized_crop_window(keys, images.extents)`.
            size: (height, width) of the results.
            soft: the filter reads beyond the window, up to the image's edge, as in DALI's `fn.random_resized_crop` of
                decoded images; the window must be within the image all the same. On platforms other than the CPU, files
                are then decoded whole, and need a `canvas`.
            filter: "nearest", "linear", "cubic", "lanczos3", "triangular" or "gaussian".
            antialias: whether the filter widens when an axis shrinks.
            dtype: that of the result; None: that of the images.
        """
        if not soft:
            return self.cut(windows).resize(size=size, filter=filter, antialias=antialias, dtype=dtype)
        check_windows(windows, len(self))
        options = {"min_filter": filter, "mag_filter": filter, "antialias": antialias, "dtype": dtype}
        bounded = dataclasses.replace(self, recipe=self.recipe.bounded(self._bound(windows)))
        return bounded.resample(size, regions_of(windows), **options)

    def cut(self, windows: Array, size: Size | None = None, *, fits: bool = False) -> Images:
        """Cuts a window out of each image.

        Whatever was done before, an image that does not contain its window, or whose window is empty, is TOO_LARGE: it
        fails when its array is made, as `on_error` of `array` says.

        Args:
            windows: `int32[N, 4]` (top, left, height, width).
            size: that of all windows, if it is the same and known.
            fits: all windows are within their images for certain.

        Raises:
            ConfigError: a window is out of bounds, and both it and the size of its image are known while tracing.
        """
        self.recipe.check_follows("cut")
        check_windows(windows, len(self))
        recipe = self.recipe.cut(windows, size, self._asked, None if fits else self._bound(windows))
        return self._with(recipe, size, windows[:, 2:])

    def pad_cut(self, windows: Array, size: Size | None = None, fill: npt.ArrayLike = 0.0) -> Images:
        """Like `cut`, for windows that may extend beyond their images.

        Args:
            windows: `int32[N, 4]` (top, left, height, width).
            size: that of all windows, if it is the same and known.
            fill: what is there beyond the images: a number, `[C]` or `[N, C]`.
        """
        self.recipe.check_follows("pad_cut")
        check_windows(windows, len(self))
        recipe = self.recipe.pad_cut(windows, self._asked, program.fill(to_float32(fill)))
        return self._with(recipe, size, windows[:, 2:])

    @called_as("images.flip(), or images.flip(jaxdali.random.coin_flip(keys))")
    def flip(self, horizontal: Any = 1, vertical: ArrayLike = 0) -> Images:
        """Mirrors left to right where `horizontal`, and top to bottom where `vertical`, a scalar or `[N]`, is not 0."""
        self.recipe.check_follows("flip")
        flags = [
            per_sample_flag(name, value, len(self))
            for name, value in (("vertical", vertical), ("horizontal", horizontal))
        ]
        return dataclasses.replace(self, recipe=self.recipe.flip(*flags))

    def resample(
        self,
        extents: npt.ArrayLike,
        region: npt.ArrayLike | None = None,
        *,
        min_filter: str = "linear",
        mag_filter: str = "linear",
        antialias: bool = True,
        dtype: DTypeLike | None = None,
    ) -> Images:
        """Resizes each image, or a region of it.

        Args:
            extents: (height, width) of all results, or `int32[N, 2]`.
            region: `float32[N, 4]`, y_lo, y_hi, x_lo, x_hi in pixels of each image: the part to resize. The filter
                reads beyond it, up to the image's edge. None: the whole image.
            min_filter: the filter of axes that shrink.
            mag_filter: the filter of all other axes.
            antialias: whether a filter widens when an axis shrinks.
            dtype: that of the result; None: that of the images.
        """
        self.recipe.check_follows("resample")
        size = resized_size(extents, self.size) if isinstance(extents, tuple | list) else None
        filters = (check_filter(min_filter, "min_filter"), check_filter(mag_filter, "mag_filter"))
        resampling = Resampling(None if size else extents, region, size, filters, bool(antialias))
        target = self.dtype if dtype is None else pixel_dtype(dtype)
        recipe = self.recipe.resample(resampling).run((program.rounding(target),), target)
        return self._with(recipe, size, extents)

    def run(self, *instructions: Instruction, dtype: DTypeLike) -> Images:
        """Runs `instructions` on each pixel, as other methods make them; the result is rounded to `dtype`."""
        self.recipe.check_follows("pixels")
        target = pixel_dtype(dtype)
        return dataclasses.replace(self, recipe=self.recipe.run((*instructions, program.rounding(target)), target))

    @called_as("images.brightness_contrast(brightness=1.2, contrast=0.9)")
    def brightness_contrast(
        self,
        brightness: ArrayLike = 1.0,
        brightness_shift: ArrayLike = 0.0,
        contrast: ArrayLike = 1.0,
        contrast_center: ArrayLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> Images:
        """Changes brightness and contrast by the formula of `jaxdali.image.brightness_contrast`.

        Args:
            brightness: factor; a scalar or one value per image, `[N]`.
            brightness_shift: added, in units of the largest value of an integer `dtype`; a scalar or `[N]`.
            contrast: factor; a scalar or `[N]`.
            contrast_center: the level that contrast does not change; a scalar or `[N]`. None: half of the range.
            dtype: that of the result; None: that of the images.
        """
        target = self.dtype if dtype is None else pixel_dtype(dtype)
        given = (brightness, brightness_shift, contrast, contrast_center)
        return self.run(*contrast_instructions(self.recipe, len(self), *given, target), dtype=target)

    @called_as("images.normalize(mean, std), of levels from 0 to 255")
    def normalize(
        self,
        mean: Array,
        std: Array,
        *,
        scale: Array = 1.0,
        shift: Array = 0.0,
        dtype: DTypeLike = np.float32,
    ) -> Images:
        """Computes `(in - mean) / std * scale + shift`. Warns if mean and std look like those of levels from 0 to 1.

        Args:
            mean: in units of levels; a scalar, one value per channel `[C]` (or `[1]`), or `[N, C]` (`[N, 1]`).
            std: of the same shapes, not 0.
            scale: factor; a scalar.
            shift: added last; a scalar.
            dtype: that of the result.
        """
        warn_of_scale(mean, std, scale, self.dtype)
        return self.standardize(mean, std, scale, shift, dtype)

    def standardize(self, mean: Array, std: Array, scale: Array, shift: Array, dtype: DTypeLike) -> Images:
        """Like `normalize`, whose `mean`, `std`, `scale`, `shift` and `dtype` it has, without a warning; for operators."""
        return self.run(*moment_instructions(self.recipe, len(self), mean, std, scale, shift), dtype=dtype)

    def mix(self, matrix: Array, dtype: DTypeLike | None = None) -> Images:
        """Mixes the three channels by `matrix`, `float32[3, 4]` or `[N, 3, 4]`, whose last column is added; the result is
        rounded to `dtype`, None: that of the images.
        """
        if self.recipe.channels != 3:
            raise ConfigError(f"mix expects images of 3 channels, got {self.recipe.channels}")
        return self.run(program.matrix(matrix), dtype=self.dtype if dtype is None else dtype)

    def cast(self, dtype: DTypeLike) -> Images:
        """Converts to `dtype` by `jaxdali.image.round_to_dtype`."""
        return self if check_dtype(dtype) == self.dtype else self.run(dtype=dtype)

    def pad_channels(self, channels: int, fill: npt.ArrayLike = 0.0) -> Images:
        """Adds channels of `fill`, a number or one per channel `[channels]`, until there are `channels`."""
        if channels <= self.recipe.channels:
            return self
        self.recipe.check_follows("pixels")
        return dataclasses.replace(self, recipe=with_more_channels(self.recipe, channels, fill))

    def to_layout(self, layout: str) -> Images:
        """Sets `layout`: "HWC", or "CHW", after which only `array` can follow."""
        if layout not in ("HWC", "CHW"):
            raise ConfigError(f"layout is {layout!r}; expected 'HWC' or 'CHW'.")
        if layout == self.recipe.layout:
            return self
        self.recipe.check_follows("to_layout")
        return dataclasses.replace(self, recipe=dataclasses.replace(self.recipe, layout=layout))

    def array(self, canvas: Size | None = None, *, on_error: Any = None) -> Any:
        """The pixels.

        Args:
            canvas: (height, width) of the array, for images that differ in size: at least that of the largest. Each
                image is in the top left corner, with zeros around it; `shapes` gives its size. None, outside of jit:
                the largest extents.
            on_error: "raise": an image that fails, fails the call; "zeros": its pixels are zeros and its status says
                why. None: "raise"; but a Loader may have it otherwise for files, as `jaxdali.image.decode` explains.

        Returns:
            `dtype[N, H, W, C]`, or `[N, C, H, W]`. With `on_error="zeros"` a pair of that and `int32[N]`, a
            `jaxdali.image.Status` for each image.
        """
        made = evaluate_logged([self], [canvas], on_error)
        return (made[0][0], made[1]) if on_error == "zeros" else made[0]

    @property
    def _asked(self) -> Any:
        """The extents, if flips make windows depend on them, else None."""
        flips = (*self.recipe.flips, *self.recipe.result_flips)
        return None if flips == (None,) * 4 else self.extents

    def _bound(self, windows: ArrayLike) -> Bound | None:
        """That images contain their windows; None if that is known."""
        if is_host(windows) and check_within(windows, self.extents):
            return None
        return Bound(windows, None if self.size is self._extents is None else self.extents)

    def _with(self, recipe: Recipe, size: Size | None, extents: npt.ArrayLike) -> Images:
        return dataclasses.replace(self, recipe=recipe, size=size, _extents=None if size else extents)
