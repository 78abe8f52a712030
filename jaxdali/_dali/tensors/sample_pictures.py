"""Thumbnails of samples, for notebooks: of pixels, and of image files."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from jaxdali._base.formats.format_names import recognise
from jaxdali._base.gallery import Shown
from jaxdali._base.pictures import looks_like_image, thumbnail, thumbnail_of_file

__all__ = ["are_pictures", "sample_cells"]


def are_pictures(sample: np.ndarray) -> bool:
    """Whether a sample, the first one of a batch, can be shown as a picture."""
    return _is_file(sample) or (sample.dtype.kind in "buif" and looks_like_image(sample.shape))


def _is_file(sample: np.ndarray) -> bool:
    return sample.dtype == np.uint8 and sample.ndim == 1 and recognise(np.ascontiguousarray(sample)) is not None


def sample_cells(at: Callable[[int], np.ndarray], captions: Sequence[str]) -> list[Shown]:
    """Returns thumbnails of the first samples, one for each caption; `at` gives a sample."""
    return [_cell(at, index, caption) for index, caption in enumerate(captions)]


def _cell(at: Callable[[int], np.ndarray], index: int, caption: str) -> Shown:
    def make() -> bytes:
        sample = np.asarray(at(index))
        return thumbnail_of_file(sample.tobytes()) if _is_file(sample) else thumbnail(sample)

    return Shown.of(caption, make)
