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
from ..ffi.recipes import InstructionKind
from . import pixel_program as program
from .bounds import Bound, check_room, check_within, regions_of
from .color import default_contrast_center, largest
from .convert import check_dtype
from .exact_arithmetic import product, quotient, to_float32
from .filters import check_filter
from .geometry import crop_anchor
from .image_arguments import check_images, check_shapes, check_size, check_windows, is_host, resized_size, warn_of_scale
from .image_arrays import evaluate_logged
from .image_normalize import check_moments
from .lazy_inputs import CanvasInput, FileInput
from .misuse import NotComputed, called_as
from .operation_arguments import instruction_number, is_size, per_sample_flag, pixel_dtype
from .pixel_program import PIXEL_DTYPES, Instruction
from .recipe import Recipe, Resampling, Size, next_stage, numpy_of
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
        """See `jaxdali.image.open`."""
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
        pixels = check_images(pixels)
        if shapes is not None:
            check_shapes(shapes, pixels)
        if pixels.dtype not in PIXEL_DTYPES:
            raise ConfigError(
                f"images have dtype {pixels.dtype}; expected one of {', '.join(dtype.name for dtype in PIXEL_DTYPES)}."
            )
        made = CanvasInput(pixels, shapes, own_channels and shapes is not None)
        size = (pixels.shape[1], pixels.shape[2]) if shapes is None else None
        return cls(made, Recipe.whole(np.dtype(pixels.dtype), pixels.shape[3]), size, None)

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
        """Which operations can follow, see `recipe.next_stage`."""
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
                `jaxdali.fn.resize`: `resize_x`, `resize_y`, `resize_shorter`, `resize_longer`,
                `size`, `mode`, `max_size`, `roi_start`, `roi_end`, `roi_relative`, `subpixel_scale`; sizes may differ.
        """
        options = {"min_filter": filter, "mag_filter": filter, "antialias": antialias, "dtype": dtype}
        if sizes.keys() == {"size"} and is_size(sizes["size"]):
            return self.resample(tuple(sizes["size"]), **options)
        if unknown := sizes.keys() - inspect.signature(resized_extents).parameters.keys():
            raise ConfigTypeError(
                f"resize has no argument {min(unknown)!r}; resized_crop(windows, (height, width)) resizes windows"
            )
        found = resized_extents(self.extents, **sizes)
        mirrored = self if found.mirrored is None else self.flip(found.mirrored[:, 1], found.mirrored[:, 0])
        return mirrored.resample(found.extents, found.region, **options)

    @called_as("images.crop(height, width)")
    def crop(self, height: int, width: int, position: Any = (0.5, 0.5), rounding: str = "round") -> Images:
        """Cuts a window of (height, width) out of each image, placed like `jaxdali.image.crop_anchor`. An image that is
        smaller fails, see `cut`.
        """
        size, extents = check_size((height, width)), self.extents
        check_room(size, extents)
        corner = crop_anchor(extents, size, position, rounding)
        windows = jnp.concatenate([corner, jnp.broadcast_to(jnp.asarray(size, corner.dtype), corner.shape)], axis=1)
        return self.cut(windows, size, fits=is_host(extents) and all(map(is_host, position)))

    @called_as("images.center_crop(height, width)")
    def center_crop(self, height: int, width: int) -> Images:
        """Cuts the middle of each image; `crop` with `rounding="truncate"` has the `(H - h) // 2` of Pillow programs."""
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
            windows: as for `cut`, such as `jaxdali.random.resized_crop_window(keys, images.extents)`.
            size: (height, width) of the results.
            soft: the filter reads beyond the window, up to the image's edge, as in DALI's `fn.random_resized_crop` of
                decoded images; the window must be within the image all the same. On platforms other than the CPU, files
                are then decoded whole, and need a `canvas`.
            filter, antialias, dtype: as in `resize`.
        """
        if not soft:
            return self.cut(windows).resize(size=size, filter=filter, antialias=antialias, dtype=dtype)
        check_windows(windows, len(self))
        options = {"min_filter": filter, "mag_filter": filter, "antialias": antialias, "dtype": dtype}
        bounded = dataclasses.replace(self, recipe=self.recipe.bounded(self._bound(windows)))
        return bounded.resample(size, regions_of(windows), **options)

    def cut(self, windows: Array, size: Size | None = None, *, fits: bool = False) -> Images:
        """Cuts a window out of each image, `int32[N, 4]` (top, left, height, width).

        Whatever was done before, an image that does not contain its window, or whose window is empty, is TOO_LARGE: it
        fails when its array is made, as `on_error` of `array` says.

        Args:
            size: that of all windows, if it is the same and known.
            fits: all windows are within their images for certain.

        Raises:
            ConfigError: a window is out of bounds, and both it and the size of its image are known while tracing.
        """
        self._check("cut")
        check_windows(windows, len(self))
        recipe = self.recipe.cut(windows, size, self._asked, None if fits else self._bound(windows))
        return self._with(recipe, size, windows[:, 2:])

    def pad_cut(self, windows: Array, size: Size | None = None, fill: npt.ArrayLike = 0.0) -> Images:
        """Like `cut`, for windows that may extend beyond their images; `fill` is there: a number, `[C]` or `[N, C]`."""
        self._check("pad_cut")
        check_windows(windows, len(self))
        recipe = self.recipe.pad_cut(windows, self._asked, program.fill(to_float32(fill)))
        return self._with(recipe, size, windows[:, 2:])

    @called_as("images.flip(), or images.flip(jaxdali.random.coin_flip(keys))")
    def flip(self, horizontal: Any = 1, vertical: ArrayLike = 0) -> Images:
        """Mirrors images left to right or top to bottom, where a flag, a scalar or `[N]`, is not 0."""
        self._check("flip")
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
            min_filter, mag_filter: the filters for axes that shrink, and for others.
            antialias: whether a filter widens when an axis shrinks.
            dtype: that of the result; None: that of the images.
        """
        self._check("resample")
        size = resized_size(extents, self.size) if isinstance(extents, tuple | list) else None
        filters = (check_filter(min_filter, "min_filter"), check_filter(mag_filter, "mag_filter"))
        resampling = Resampling(None if size else extents, region, size, filters, bool(antialias))
        target = self.dtype if dtype is None else pixel_dtype(dtype)
        recipe = self.recipe.resample(resampling).run((program.rounding(target),), target)
        return self._with(recipe, size, extents)

    def run(self, *instructions: Instruction, dtype: DTypeLike) -> Images:
        """Runs instructions on each pixel, as other methods make them; the result is rounded to `dtype`."""
        self._check("pixels")
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
        """See `jaxdali.image.brightness_contrast`."""
        target = self.dtype if dtype is None else pixel_dtype(dtype)
        center = default_contrast_center(self.dtype) if contrast_center is None else contrast_center
        center = instruction_number("contrast_center", center, len(self))
        slope = instruction_number("contrast", contrast, len(self))
        shift = instruction_number("brightness_shift", brightness_shift, len(self))
        return self.run(
            program.constant(InstructionKind.ADD, -center),
            program.constant(InstructionKind.MULTIPLY, slope),
            program.constant(InstructionKind.ADD, center),
            program.constant(InstructionKind.MULTIPLY, instruction_number("brightness", brightness, len(self))),
            program.constant(InstructionKind.ADD, product(shift, np.float32(largest(target)))),
            dtype=target,
        )

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
        """See `jaxdali.image.normalize`. Warns if mean and std look like those of levels from 0 to 1."""
        warn_of_scale(mean, std, scale, self.dtype)
        return self.standardize(mean, std, scale, shift, dtype)

    def standardize(self, mean: Array, std: Array, scale: Array, shift: Array, dtype: DTypeLike) -> Images:
        """Like `normalize` without a warning; for operators."""
        check_moments(mean, std, scale, shift, len(self), self.recipe.channels)
        factor = quotient(to_float32(scale), to_float32(std))
        return self.run(
            program.constant(InstructionKind.ADD, -to_float32(mean)),
            program.constant(InstructionKind.MULTIPLY, factor),
            program.constant(InstructionKind.ADD, to_float32(shift)),
            dtype=dtype,
        )

    def mix(self, matrix: Array, dtype: DTypeLike | None = None) -> Images:
        """Mixes the three channels: `float32[3, 4]` or `[N, 3, 4]`, whose last column is added."""
        if self.recipe.channels != 3:
            raise ConfigError(f"mix expects images of 3 channels, got {self.recipe.channels}")
        return self.run(program.matrix(matrix), dtype=self.dtype if dtype is None else dtype)

    def cast(self, dtype: DTypeLike) -> Images:
        """Converts by `jaxdali.image.round_to_dtype`."""
        return self if check_dtype(dtype) == self.dtype else self.run(dtype=dtype)

    def pad_channels(self, channels: int, fill: npt.ArrayLike = 0.0) -> Images:
        """Adds channels of `fill`: a number, or one per channel `[channels]`."""
        if channels <= self.recipe.channels:
            return self
        self._check("pixels")
        fill = (np if is_host(fill) else jnp).broadcast_to(to_float32(fill), (channels,))
        *instructions, last = [None, *self.recipe.instructions]
        # The same instruction fills the outside of the images.
        if last is not None and last.kind == InstructionKind.FILL:
            own = jnp.broadcast_to(last.constants, (len(last.constants), self.recipe.channels))
            more = jnp.broadcast_to(fill[self.recipe.channels :], (len(own), channels - self.recipe.channels))
            instruction = program.constant(InstructionKind.FILL, jnp.concatenate([own, more], axis=1))
        else:
            instructions, instruction = [*instructions, last], program.fill(fill)
        kept = tuple(one for one in instructions if one is not None)
        recipe = dataclasses.replace(self.recipe, instructions=(*kept, instruction), channels=channels)
        return dataclasses.replace(self, recipe=recipe)

    def to_layout(self, layout: str) -> Images:
        """Sets the layout: "HWC", or "CHW", after which only `array` can follow."""
        if layout not in ("HWC", "CHW"):
            raise ConfigError(f"layout is {layout!r}; expected 'HWC' or 'CHW'.")
        if layout == self.recipe.layout:
            return self
        self._check("to_layout")
        return dataclasses.replace(self, recipe=dataclasses.replace(self.recipe, layout=layout))

    def array(self, canvas: Size | None = None, *, on_error: Any = None) -> Any:
        """The pixels.

        Args:
            canvas: (height, width) of the array, for images that differ in size: at least that of the largest. Each
                image is in the top left corner, with zeros around it; `shapes` gives its size. None, outside of jit:
                the largest extents.
            on_error: "raise", "zeros" or None, as in `jaxdali.image.decode`; for pixels, None is "raise".

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

    def _check(self, operation: str) -> None:
        if next_stage(self.stage, operation) is None:
            raise ConfigError(
                f"{operation} cannot follow in the same pass over images that are {self.stage}: make arrays of them first, "
                "jaxdali.image.Images.of(images.array(), images.shapes)"
            )
