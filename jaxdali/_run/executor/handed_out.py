"""Counts the samples that were handed out, and what was in them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from jaxdali._base.batch import Status
from jaxdali._feed.ring.host_batch import HostColumn
from .step import Step

__all__ = ["HandedOut"]

_KINDS = {"videos": "clips", "packed videos": "clips", "frames": "clips", "sounds": "sounds"}


class HandedOut(NamedTuple):
    """Counts of samples that were handed out so far, without padding. A tuple, so that one statement replaces it.

    Attributes:
        samples: how many there were.
        size_bytes: their bytes as they were stored: files as they are, what workers decoded as arrays.
        jpeg_files: image files that were left to the device function, or to the engine ahead of it.
        decoded_images: images that were decoded before they were stored.
        clips, sounds: samples of sources that decode videos (or sequences of frames), or sounds.
    """

    samples: int = 0
    size_bytes: int = 0
    jpeg_files: int = 0
    decoded_images: int = 0
    clips: int = 0
    sounds: int = 0

    def with_step(self, step: Step) -> HandedOut:
        """Returns the counts with those of one more step."""
        samples, size, files, images, clips, sounds = self
        mask, new = step.padding(), step.samples
        if mask is not None:
            new = int(np.count_nonzero(mask))
            mask = None if new == step.samples else mask
        for batch in step.batches:
            if batch.source is not None and batch.source.decodes:
                kind = _KINDS.get(batch.source.decodes)
                clips += new if kind == "clips" else 0
                sounds += new if kind == "sounds" else 0
            for column in batch.columns:
                declared, layout = column.column, column.layout
                if declared.held_batches is not None or declared.marks_real:
                    continue
                if layout is not None:
                    rows = max(layout.shape[0], 1)
                    size += math.prod(layout.shape) * column.dtype.itemsize // rows * new
                else:
                    size += int((column.sizes if mask is None else column.sizes[mask]).sum())
                if declared.encoded:
                    bad, before = _count_images(column, mask)
                    images += before
                    files += new - before - bad
        return HandedOut(samples + new, size, files, images, clips, sounds)


def _count_images(column: HostColumn, mask: np.ndarray | None) -> tuple[int, int]:
    """Returns how many rows have no image that can be decoded, as far as is known, and how many are decoded."""
    if column.records is None:
        return 0, 0
    bad, decoded = column.status != Status.OK, column.decoded
    if mask is not None:
        bad, decoded = bad[mask], decoded[mask]
    return int(np.count_nonzero(bad)), int(np.count_nonzero(decoded))
