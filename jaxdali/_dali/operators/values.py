"""The values of nodes while the device function is traced: batches of arrays, or images that are not computed yet.

While a graph is traced, a node's value is a `BatchValue` of arrays, an `ImagesValue` of a source and a recipe, or an
`EncodedValue` of files. Decoders make images of files, `images_of` makes them of arrays, operators extend their recipes
by `then`, and `planner.evaluate` computes their arrays. What an operator may ask for besides is in its `Context`. It
relies on jax only within functions, since declarations import this file.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol

import numpy as np

from jaxdali.errors import GraphError
from ..graph.call import Call
from .sample_form import SampleForm, channels_last_of, volumes_of

__all__ = ["BatchValue", "Context", "EncodedValue", "ImageSource", "ImagesValue", "images_of", "takes_recipes"]


class Context(Protocol):
    """What an operator can ask for while it is traced.

    Attributes:
        call: the call that is computed now.
        threads: the limit on threads that decode; 0 for no limit.
        affinity: the CPUs of these threads.
    """

    call: Call
    threads: int
    affinity: Any

    @property
    def samples(self) -> int:
        """The number of samples in the batch."""
        ...

    def keys(self, seed: int | None) -> Any:
        """Returns one key per sample for a random call; from the call's own seed if it has one."""
        ...

    def report(self, column: int, on_error: str | None, status: Any) -> None:
        """Reports the statuses of a column's images: `int32[N]`, a `Status` each."""
        ...

    def require(self, holds: Any, otherwise: str, shown: Sequence[Any] = ()) -> None:
        """Adds a condition on data, `bool[N]`, checked when the batch is handed out.

        Args:
            otherwise: the error text if it does not hold.
            shown: values of each sample, `[N, ...]`, that replace "{0}", "{1}" and so on in the text.
        """
        ...

    def taken(self) -> Any:
        """Returns `bool[N]`: which samples take the branches that the call is in; None if it is in none. Only for operators
        that declare `of_batch`.
        """
        ...

    def once(self, key: Hashable, make: Callable[[], object]) -> Any:
        """Returns what `make` returns, and calls it only once per key."""
        ...


@dataclasses.dataclass(frozen=True)
class BatchValue:
    """A batch of arrays.

    Attributes:
        data: `[N, ...]`.
        shapes: None if every sample fills its row; else int32[N, ndim], with each sample in the corner of its row.
        layout: axis names of a sample, such as "HWC"; empty if it has none.
        wide: the 64-bit type that DALI gives these numbers, if JAX without x64 has them in 32 bits, else None.
            `Pipeline.run` hands them out in that type.
        form: how samples of another form were converted to these, while an operator on images works on them.
        most: upper limits of each number of a sample, whatever the data are; None if unknown.
    """

    data: Any
    shapes: Any = None
    layout: str = ""
    wide: np.dtype | None = None
    form: SampleForm | None = None
    most: np.ndarray | None = None

    def bounded(self, most: np.ndarray | None) -> BatchValue:
        """Returns the value with upper limits of its numbers."""
        return self if most is None else dataclasses.replace(self, most=most)

    def check_images(self, context: Context, own_channels: bool = False) -> None:
        """Requires of `context` that samples are images with the same number of channels.

        Args:
            own_channels: the number of channels may differ between them.

        Raises:
            GraphError: the rank or the layout is not that of an image with channels last.
        """
        word = context.call.operator.display_name
        if self.data.ndim != 4 or self.layout not in ("", "HWC"):
            layout = f" and layout {self.layout!r}" if self.layout else ""
            advice = (
                "; files of images are decoded first, images = fn.decoders.image(files)"
                if self.data.ndim == 2 and self.data.dtype == np.uint8
                else ""
            )
            raise GraphError(
                f"{word} expects images [H, W, C], got samples of {self.data.ndim - 1} dimensions{layout}{advice}"
            )
        if self.shapes is not None and not own_channels:
            context.require(
                self.shapes[:, 2] == self.shapes[0, 2],
                f"{word} expects images with the same number of channels, but this one has another number than the "
                "first of its batch; convert them in the source",
            )

    def of_one_shape(self, context: Context, what: str) -> Any:
        """Returns the array; requires of `context` that each sample fills its row, as sequences of maps do frame by frame.

        Args:
            what: the samples, for the error.
        """
        import jax.numpy as jnp

        if self.shapes is not None:
            own = jnp.asarray(self.data.shape[1:], jnp.int32)
            context.require((self.shapes == own).all(axis=1), f"{what} must have one shape, and this one has another")
        return self.data

    @functools.cached_property
    def as_images(self) -> ImagesValue:
        """The samples, which are images of a type that recipes support, as the source of recipes."""
        from jaxdali._device.image.images import Images

        height, width = self.data.shape[1:3]
        return ImagesValue(Images.of(self.data, self.shapes), ImageSource(canvas=(height, width)), self.form, self.wide)

    @functools.cached_property
    def channels_last(self) -> BatchValue:
        """The samples as images or volumes with channels last, and with each frame of a sequence by itself; others
        unchanged.
        """
        found = channels_last_of(self.data, self.shapes, self.layout)
        if found is None:
            return self
        data, shapes, layout, form = found
        return BatchValue(data, shapes, layout, self.wide, form)

    @property
    def frames_as_depth(self) -> BatchValue:
        """The samples, which are sequences of images, as volumes with channels last, whose depth is their frames."""
        data, shapes, layout, form = volumes_of(self.data, self.shapes, self.layout)
        return BatchValue(data, shapes, layout, self.wide, form)

    @functools.cached_property
    def _in_layouts(self) -> dict[str, BatchValue]:
        return {}

    def assuming(self, layouts: Sequence[str]) -> BatchValue:
        """Returns samples without a layout as ones with that of these layouts which has as many axes, if there is one. It
        is the same value each time, so that operators on it share what is computed of it.
        """
        layout = next((one for one in layouts if len(one) == self.data.ndim - 1), "")
        if self.layout or not layout:
            return self
        if layout not in self._in_layouts:
            self._in_layouts[layout] = dataclasses.replace(self, layout=layout)
        return self._in_layouts[layout]

    def in_form(self, form: SampleForm) -> BatchValue:
        """Converts results for images back to samples."""
        return BatchValue(*form.restore(self.data, self.shapes, self.layout), self.wide)


@dataclasses.dataclass(frozen=True, eq=False)
class ImageSource:
    """Where images of recipes come from. Images with the same source are computed together.

    Attributes:
        column: that of the files to decode; None if they are arrays.
        canvas: (height, width) of these arrays.
        on_error: those of the decoders that read the files.
    """

    column: int | None = None
    canvas: tuple[int, int] | None = None
    on_error: set[str | None] = dataclasses.field(default_factory=set)


@dataclasses.dataclass(frozen=True)
class ImagesValue:
    """A batch of images that are not computed yet: a source, and a recipe that operators extend.

    Attributes:
        images: a `jaxdali.image.Images`.
        form: how samples of another form were converted to these; None if they were images.
        wide: see `BatchValue`.
    """

    images: Any
    source: ImageSource
    form: SampleForm | None = None
    wide: np.dtype | None = None

    def then(self, images: Any) -> ImagesValue:
        """Returns the value with a longer recipe."""
        return dataclasses.replace(self, images=images, wide=self.wide if images.dtype == self.images.dtype else None)

    def as_arrays(self) -> BatchValue | ImagesValue:
        """Returns the images as arrays if they already are arrays, else unchanged."""
        images = self.images
        return BatchValue(images.data, images.shapes, images.layout, self.wide) if hasattr(images, "data") else self


def takes_recipes(dtype: Any) -> bool:
    """Whether recipes can start from images of a type, and produce it; None means the type of the images."""
    from jaxdali._device.image.pixel_program import PIXEL_DTYPES

    return dtype is None or np.dtype(dtype) in PIXEL_DTYPES


def images_of(context: Context, value: BatchValue | ImagesValue, dtype: Any = None) -> ImagesValue:
    """Returns images whose recipe an operator can extend.

    Args:
        dtype: that of the operator's output; None for that of the images.

    Raises:
        GraphError: the samples are not images.
    """
    if isinstance(value, ImagesValue):
        return value
    value.check_images(context)
    if takes_recipes(value.data.dtype) and takes_recipes(dtype):
        return value.as_images
    from .array_images import ArrayImages

    return ImagesValue(ArrayImages(value.data, value.shapes), ImageSource(), value.form, value.wide)


@dataclasses.dataclass(frozen=True)
class EncodedValue:
    """A batch of files, which only decoders take.

    Attributes:
        canvas: (height, width) for whole images, if they are decoded whole; else None.
        channels: the largest number of channels of a file, if images keep their channels.
    """

    batch: Any
    column: int
    canvas: tuple[int, int] | None = None
    channels: int = 3
