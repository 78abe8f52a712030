"""Sources whose samples need much memory; worker processes import them."""

from __future__ import annotations

import numpy as np

BATCH = 8
BATCHES = 9


def alike(info) -> tuple[np.ndarray, np.ndarray]:
    """A label, and pixels: 410 KB each."""
    return np.int32([info.idx_in_epoch]), np.full((320, 427, 3), info.idx_in_epoch, np.uint8)


def by_batch(info) -> tuple[np.ndarray, np.ndarray]:
    """Batches take turns: one shape for all, a smaller shape for all, and shapes that differ."""
    label, pixels = alike(info)
    kind = info.iteration % 3
    if kind == 0:
        return label, pixels
    return label, pixels[: 200 if kind == 1 else 100 + 25 * info.idx_in_batch]
