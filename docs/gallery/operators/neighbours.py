"""Examples of operators that filter images, add noise or damage them."""

from __future__ import annotations

import numpy as np

from jaxdali import fn, types
from ..example import Group
from ..kits import PHOTOS
from ..pictures import images as of_images

GROUP = Group("Filters, noise and damage", PHOTOS, of_images)


@GROUP("fn.gaussian_blur", "UINT8 (240, 320, 3) HWC")
def gaussian_blur(images):
    """A window with a standard deviation of three pixels."""
    return fn.gaussian_blur(images, sigma=3.0)


@GROUP("fn.filter", "FLOAT (240, 320, 3) HWC")
def filter(images):
    """A kernel of one's own, here one that finds vertical edges; the picture shows the least number as black."""
    return fn.filter(
        images, np.float32([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]), dtype=types.FLOAT
    )


@GROUP("fn.laplacian", "FLOAT (240, 320, 3) HWC")
def laplacian(images):
    """Edges and lines; the picture shows the least number as black."""
    return fn.laplacian(images, window_size=5, dtype=types.FLOAT)


@GROUP("fn.experimental.median_blur", "UINT8 (240, 320, 3) HWC")
def median_blur(images):
    """Noise and thin lines go, edges stay."""
    return fn.experimental.median_blur(images, window_size=7)


@GROUP("fn.experimental.dilate", "UINT8 (240, 320, 3) HWC")
def dilate(images):
    """What is bright grows by three pixels."""
    return fn.experimental.dilate(images, mask_size=7)


@GROUP("fn.experimental.erode", "UINT8 (240, 320, 3) HWC")
def erode(images):
    """What is dark grows by three pixels."""
    return fn.experimental.erode(images, mask_size=7)


@GROUP("fn.noise.gaussian", "UINT8 (240, 320, 3) HWC")
def gaussian(images):
    """Noise with a standard deviation of 40 levels."""
    return fn.noise.gaussian(images, stddev=40.0)


@GROUP("fn.noise.salt_and_pepper", "UINT8 (240, 320, 3) HWC")
def salt_and_pepper(images):
    """A tenth of the pixels is white or black."""
    return fn.noise.salt_and_pepper(images, prob=0.1)


@GROUP("fn.noise.shot", "UINT8 (240, 320, 3) HWC")
def shot(images):
    """The noise of a short exposure: a level is 20 times a number of photons."""
    return fn.noise.shot(images, factor=20.0)


@GROUP("fn.jpeg_compression_distortion", "UINT8 (240, 320, 3) HWC")
def jpeg_compression_distortion(images):
    """As if saved with the quality 5."""
    return fn.jpeg_compression_distortion(images, quality=5)


@GROUP("fn.erase", "UINT8 (240, 320, 3) HWC")
def erase(images):
    """Two regions are filled with gray."""
    return fn.erase(
        images,
        anchor=(0.1, 0.5, 0.6, 0.2),
        shape=(0.3, 0.25, 0.3, 0.4),
        normalized=True,
        axis_names="HW",
        fill_value=128,
    )


@GROUP("fn.grid_mask", "UINT8 (240, 320, 3) HWC")
def grid_mask(images):
    """Squares of half of 40 pixels, in a grid that is turned."""
    return fn.grid_mask(images, tile=40, ratio=0.5, angle=0.4)
