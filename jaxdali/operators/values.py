"""What flows along a node while the device function is traced: a batch of arrays, or images that are not there yet."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Hashable
from typing import Any, Protocol

import numpy as np

from ..errors import GraphError
from ..graph.call import Call
from .sample_form import SampleForm, channels_last_of

__all__ = ["BatchValue", "Context", "EncodedValue", "ImageSource", "ImagesValue", "images_of", "takes_recipes"]


class Context(Protocol):
    """What an operator may ask while it is traced.

    Attributes:
        call: that is computed now.
        threads: limit of the threads that decode; 0: none.
        affinity: their CPUs.
    """

    call: Call
    threads: int
    affinity: Any

    @property
    def samples(self) -> int:
        """Samples of the batch."""
        ...

    def keys(self, seed: int | None) -> Any:
        """One key per sample for a random call; with a seed of its own, that one's stream."""
        ...

    def report(self, column: int, on_error: str | None, status: Any) -> None:
        """Says what became of the images of a column: `int32[N]`, a `Status` each."""
        ...

    def require(self, holds: Any, otherwise: str) -> None:
        """A condition on data, `bool[N]`, checked when the batch is handed out: what is said where it does not hold."""
        ...

    def once(self, key: Hashable, make: Callable[[], object]) -> Any:
        """What `make` returns, which is called once a key."""
        ...


@dataclasses.dataclass(frozen=True)
class BatchValue:
    """A batch of arrays.

    Attributes:
        data: `[N, ...]`.
        shapes: None: every sample fills its row; else int32[N, ndim], each sample is in the corner of its row.
        layout: axis names of a sample, such as "HWC"; empty: none.
        wide: the type of 64 bits that DALI gives these numbers, where JAX without x64 has them in 32; None: that of `data`.
            `Pipeline.run` hands them out as that.
        form: how samples of another form became these, while an operator on images works on them.
        most: the largest that each number of a sample can be, whatever the data are; None: that is not known.
    """

    data: Any
    shapes: Any = None
    layout: str = ""
    wide: np.dtype | None = None
    form: SampleForm | None = None
    most: np.ndarray | None = None

    def bounded(self, most: np.ndarray | None) -> BatchValue:
        """The same, of which it is known how large its numbers can be."""
        return self if most is None else dataclasses.replace(self, most=most)

    def check_images(self, context: Context) -> None:
        """Requires of `context` that samples are images with the same number of channels.

        Raises:
            GraphError: the rank or the layout is not that of an image with channels last.
        """
        word = context.call.operator.spoken
        if self.data.ndim != 4 or self.layout not in ("", "HWC"):
            layout = f" and layout {self.layout!r}" if self.layout else ""
            raise GraphError(f"{word} expects images [H, W, C], got samples of {self.data.ndim - 1} dimensions{layout}")
        if self.shapes is not None:
            context.require(
                self.shapes[:, 2] == self.shapes[0, 2],
                f"{word} expects images with the same number of channels, and this one has another than the first of its "
                "batch; convert them in the source",
            )

    @functools.cached_property
    def as_images(self) -> ImagesValue:
        """The samples, which are images of a type that recipes take, as the source of recipes."""
        from ..image import Images

        height, width = self.data.shape[1:3]
        return ImagesValue(Images.of(self.data, self.shapes), ImageSource(canvas=(height, width)), self.form)

    @functools.cached_property
    def channels_last(self) -> BatchValue:
        """The samples as images, or volumes, with channels last, each frame of a sequence by itself; others as they are."""
        found = channels_last_of(self.data, self.shapes, self.layout)
        if found is None:
            return self
        data, shapes, layout, form = found
        return BatchValue(data, shapes, layout, form=form)

    def in_form(self, form: SampleForm) -> BatchValue:
        """Samples of what became of their images."""
        return BatchValue(*form.restore(self.data, self.shapes, self.layout), self.wide)


@dataclasses.dataclass(frozen=True, eq=False)
class ImageSource:
    """Where images of recipes come from: what has the same source is computed together.

    Attributes:
        column: of the files that are decoded; None: they are arrays.
        canvas: (height, width) of those arrays.
        on_error: of the decoders that read them.
    """

    column: int | None = None
    canvas: tuple[int, int] | None = None
    on_error: set[str | None] = dataclasses.field(default_factory=set)


@dataclasses.dataclass(frozen=True)
class ImagesValue:
    """A batch of images that are not there yet: a source, and a recipe that operators extend.

    Attributes:
        images: a `jaxdali.image.Images`.
        form: how samples of another form became these; None: they were images.
    """

    images: Any
    source: ImageSource
    form: SampleForm | None = None

    def then(self, images: object) -> ImagesValue:
        """The same with a longer recipe."""
        return dataclasses.replace(self, images=images)

    def settled(self) -> BatchValue | ImagesValue:
        """The images as arrays, where they are that already."""
        images = self.images
        return BatchValue(images.data, images.shapes, images.layout) if hasattr(images, "data") else self


def takes_recipes(dtype: Any) -> bool:
    """Whether recipes are made of images of a type, and make such; None is one that they have."""
    from ..image.pixel_program import PIXEL_DTYPES

    return dtype is None or np.dtype(dtype) in PIXEL_DTYPES


def images_of(context: Context, value: BatchValue | ImagesValue, dtype: Any = None) -> ImagesValue:
    """What an operator makes the recipe of longer.

    Args:
        dtype: of what it makes of them; None: that of the images.

    Raises:
        GraphError: the samples are not images.
    """
    if isinstance(value, ImagesValue):
        return value
    value.check_images(context)
    if takes_recipes(value.data.dtype) and takes_recipes(dtype):
        return value.as_images
    from .arrays import ArrayImages

    return ImagesValue(ArrayImages(value.data, value.shapes), ImageSource(), value.form)


@dataclasses.dataclass(frozen=True)
class EncodedValue:
    """A batch of files; only decoders take it.

    Attributes:
        canvas: (height, width) for whole images, where they are decoded whole; None: they are not.
        channels: of the widest file, where images keep their channels.
    """

    batch: Any
    column: int
    canvas: tuple[int, int] | None = None
    channels: int = 3
