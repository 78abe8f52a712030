"""What is known about an output of a source before any data came."""

from __future__ import annotations

import dataclasses
from typing import Literal

from ..batch import DEFAULT_MAX_IMAGE_PIXELS
from ..source.gpu_batches import HeldBatches
from ..source.push_source import FedSource
from ..types import DALIDataType

__all__ = ["Column"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Column:
    """One output of a source.

    Attributes:
        name: what errors call it.
        encoded: samples are files of images that will be decoded. What is not JPEG is decoded where it was read.
        dtype: demanded of every sample; None: whatever the first one has.
        ndim: likewise.
        declared_layout: axis names such as "HWC"; empty: none.
        fed: the source of batches that are fed, the first of which may come with a layout where none was declared.
        max_image_pixels: larger images are not decoded (encoded only).
        as_stored: images stay as their files have them, whatever EXIF orientation says (encoded only).
        indexed: of images with a palette the indices are wanted, not the colours (encoded only).
        from_getitem: samples are what `__getitem__` of a Loader's data returned: Python's numbers are among them.
        shapes: whether the samples of a batch may differ in shape. "any": they may, and only then the batch is a pair of a
            padded array and shapes. "same": it is an error. "ragged": the batch is always a pair.
        extents: "ragged" only: of the padded array's second axis, ascending; the smallest that holds the batch is taken.
            Empty: whatever suits the batch.
        by_sampler: which of `extents` is taken is seen from the lengths that the sampler was given of a global batch.
        ragged_argument: "same" only: what declares it ragged, for that error.
        sample_shape: "same" only: demanded of every sample; None: whatever the first one of the batch has.
        host: no device sees it: packed Python objects (`source.carried.HostValue`), or what the Loader itself wants to know.
        marks_real: it holds a bool for each sample: whether it is one, or completes the batch.
        bits: name of the type that its unsigned integers are the bits of, such as "bfloat16"; empty: they are themselves.
        held_batches: the batches whose numbers the source gives; None: it gives the data.
    """

    name: str
    encoded: bool = False
    dtype: DALIDataType | None = None
    ndim: int | None = None
    declared_layout: str = ""
    fed: FedSource | None = None
    max_image_pixels: int = DEFAULT_MAX_IMAGE_PIXELS
    as_stored: bool = False
    indexed: bool = False
    from_getitem: bool = False
    shapes: Literal["any", "same", "ragged"] = "any"
    extents: tuple[int, ...] = ()
    by_sampler: bool = False
    ragged_argument: str = ""
    sample_shape: tuple[int, ...] | None = None
    host: bool = False
    marks_real: bool = False
    bits: str = ""
    held_batches: HeldBatches | None = None

    @property
    def layout(self) -> str:
        """Axis names such as "HWC"; empty: none, or none yet."""
        return self.declared_layout or ("" if self.fed is None else self.fed.layout)
