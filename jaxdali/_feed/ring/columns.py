"""What is known about an output of a source before any data has come."""

from __future__ import annotations

import dataclasses
from typing import Literal

from jaxdali._base.batch import DEFAULT_MAX_IMAGE_PIXELS
from jaxdali._base.dtypes import DALIDataType
from ..source.extra_outputs import Reading
from ..source.gpu_batches import HeldBatches
from ..source.push_source import FedSource

__all__ = ["Column", "Packed"]


@dataclasses.dataclass(frozen=True)
class Packed:
    """How clips that an engine decodes are handed out.

    Attributes:
        shape: that of all of them, `(T, H, W, 3)`; empty: they may differ, and a batch in which they do is a pair, as is
            every batch of a column with `shapes="ragged"`.
        factor: levels become float32 and are multiplied by it; None: they stay uint8.
    """

    shape: tuple[int, ...] = ()
    factor: float | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Column:
    """One output of a source.

    Attributes:
        name: its name in errors.
        encoded: samples are files of images that will be decoded. Files other than JPEG are decoded where they are
            read.
        dtype: required of every sample; None: that of the first sample.
        ndim: likewise.
        declared_layout: axis names such as "HWC"; empty: none.
        fed: the source of fed batches, the first of which may bring a layout if none was declared.
        max_image_pixels: larger images are not decoded (encoded only).
        decoders: how many processes decode its files, or make its values of files, after they were stored; 1: whoever
            stores them does.
        threads: how many threads decode those of its files that native code decodes, where the user's own thread runs the
            source; they end with the call.
        reading: makes its values, and those of the outputs behind it, of a file; None: a sample is its own value.
        as_stored: images stay as their files store them, whatever EXIF orientation says (encoded only).
        indexed: images with a palette give their indices, not the colours (encoded only).
        from_getitem: samples are what `__getitem__` of a Loader's data returned, so they may include Python numbers.
        shapes: whether the samples of a batch may differ in shape. "any": they may; if they do, the batch is a pair of
            a padded array and shapes. "same": a difference is an error. "ragged": the batch is always such a pair.
        extents: "ragged" only: the allowed sizes of the padded array's second axis, ascending; the smallest that holds
            the batch is used. Empty: a size that suits the batch.
        by_sampler: the choice among `extents` follows from the lengths that the sampler was given for a global batch.
        ragged_argument: "same" only: the argument that would declare it ragged, for the error.
        sample_shape: "same" only: required of every sample; None: that of the batch's first sample.
        host: it goes to no device: packed Python objects (`source.carried.HostValue`), or data for the Loader itself.
        marks_real: it holds a bool for each sample: True for a real one, False for padding of the batch.
        bits: name of the type whose bits its unsigned integers are, such as "bfloat16"; empty: they are plain integers.
        packed: samples are clips of videos, packed for the video engine of a GPU (`records.packed_clip`), and this is what
            becomes of them; None: they are no such clips.
        held_batches: the batches whose numbers the source gives; None: the source gives the data.
    """

    name: str
    encoded: bool = False
    dtype: DALIDataType | None = None
    ndim: int | None = None
    declared_layout: str = ""
    fed: FedSource | None = None
    max_image_pixels: int = DEFAULT_MAX_IMAGE_PIXELS
    decoders: int = 1
    threads: int = 1
    reading: Reading | None = None
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
    packed: Packed | None = None
    held_batches: HeldBatches | None = None

    @property
    def layout(self) -> str:
        """Axis names such as "HWC"; empty: none, or none yet."""
        return self.declared_layout or ("" if self.fed is None else self.fed.layout)
