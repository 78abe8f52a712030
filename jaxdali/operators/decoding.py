"""How files are decoded, as an operator that takes them was told."""

from __future__ import annotations

import dataclasses

from ..graph.call import MutableParams

__all__ = ["Decoding"]


@dataclasses.dataclass(frozen=True)
class Decoding:
    """How an operator's files are decoded.

    Attributes:
        on_error: "raise" or "zeros"; None: as the pipeline says.
        options: of `jaxdali.image.decode` and `Images.open`.
        canvas: (height, width) of every batch; None: as its images want it.
        own_channels: images keep the channels that their files have.
        as_stored: EXIF orientation is not applied.
        luma: of files they have one channel of 8 bits.
        sample_bytes: expected of an image that a GPU has decoded ahead; 0: nothing is.
    """

    on_error: str | None
    options: MutableParams
    canvas: tuple[int, int] | None = None
    sample_bytes: int = 0
    own_channels: bool = False
    as_stored: bool = False
    luma: bool = False
