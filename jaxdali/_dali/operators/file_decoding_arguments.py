"""Describes how files are decoded, according to an operator's arguments."""

from __future__ import annotations

import dataclasses

from ..graph.call import MutableParams

__all__ = ["Decoding"]


@dataclasses.dataclass(frozen=True)
class Decoding:
    """How an operator decodes its files.

    Attributes:
        on_error: "raise" or "zeros"; None for the pipeline's setting.
        options: those of `jaxdali.image.decode` and `Images.open`.
        canvas: (height, width) of every batch; None if it depends on the images.
        own_channels: images keep the channels of their files.
        as_stored: EXIF orientation is not applied.
        luma: only the luma is decoded, as one channel of 8 bits.
        sample_bytes: the expected size of an image that a GPU decodes ahead; 0 if unknown.
    """

    on_error: str | None
    options: MutableParams
    canvas: tuple[int, int] | None = None
    sample_bytes: int = 0
    own_channels: bool = False
    as_stored: bool = False
    luma: bool = False
