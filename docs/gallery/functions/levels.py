"""Examples of functions of `jaxdali.image`: levels, colors, filters and damage."""

from __future__ import annotations

import numpy as np

from jaxdali import image
from ..example import Group
from ..kits import ARRAYS
from ..pictures import images as of_images
from ..pictures import of

LEVELS = Group("Levels and colors", ARRAYS, of_images)
NEIGHBOURS = Group("Filters and damage", ARRAYS, of_images)
_SAME = "uint8 (2, 240, 320, 3)"


@LEVELS("image.brightness_contrast", _SAME)
def brightness_contrast(images):
    """Darker, of more contrast; a fifth of the range is added."""
    return image.brightness_contrast(images, 0.6, 0.2, 2.0)


@LEVELS("image.color_twist", _SAME)
def color_twist(images):
    """Hues are rotated by 60 degrees; brightness, contrast and saturation change as well."""
    return image.color_twist(
        images, brightness=1.2, contrast=0.8, hue=60.0, saturation=1.4
    )


@LEVELS("image.hsv", _SAME)
def hsv(images):
    """A quarter of the saturation is left."""
    return image.hsv(images, saturation=0.25)


@LEVELS("image.convert_color_space", "uint8 (2, 240, 320, 1)")
def convert_color_space(images):
    """Gray."""
    return image.convert_color_space(images, "RGB", "GRAY")


@LEVELS("image.clahe", _SAME)
def clahe(images):
    """Tiles are equalized, and contrast is limited."""
    return image.clahe(images, (4, 4), clip_limit=4.0)


@LEVELS(
    "image.normalize", "float32 (2, 3, 240, 320)", drawing=of("images", layout="CHW")
)
def normalize(images):
    """Channels first, with the mean and the standard deviation of ImageNet; the picture shows the least number as black."""
    return image.normalize(
        images, [123.7, 116.3, 103.5], [58.4, 57.1, 57.4], output_layout="CHW"
    )


@LEVELS("image.round_to_dtype", _SAME)
def round_to_dtype(images):
    """Levels to the nearest multiple of 64, as DALI rounds and saturates."""
    return image.round_to_dtype(
        image.round_to_dtype(images / 64.0, np.int32) * 64, np.uint8
    )


@LEVELS("image.debayer", _SAME, drawing=of("mosaics"))
def debayer(mosaics):
    """The two colors that a pixel of a sensor lacks are interpolated.

    Blue is counted from the second row and column on.
    """
    return image.debayer(mosaics, (0, 0))


@NEIGHBOURS("image.gaussian_blur", _SAME)
def gaussian_blur(images):
    """A window with a standard deviation of three pixels."""
    return image.gaussian_blur(images, 3.0)


@NEIGHBOURS("image.correlate", "float32 (2, 240, 320, 3)")
def correlate(images):
    """A kernel of one's own, here one that finds vertical edges; the picture shows the least number as black."""
    return image.correlate(
        images, np.float32([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]), dtype=np.float32
    )


@NEIGHBOURS("image.laplacian", "float32 (2, 240, 320, 3)")
def laplacian(images):
    """Edges and lines; the picture shows the least number as black."""
    return image.laplacian(images, 5, dtype=np.float32)


@NEIGHBOURS("image.median_blur", _SAME)
def median_blur(images):
    """Noise and thin lines go, edges stay."""
    return image.median_blur(images, 7)


@NEIGHBOURS("image.dilate", _SAME)
def dilate(images):
    """What is bright grows by three pixels."""
    return image.dilate(images, 7)


@NEIGHBOURS("image.erode", _SAME)
def erode(images):
    """What is dark grows by three pixels."""
    return image.erode(images, 7)


@NEIGHBOURS("image.jpeg_distortion", _SAME)
def jpeg_distortion(images):
    """As if saved with the quality 5."""
    return image.jpeg_distortion(images, 5)
