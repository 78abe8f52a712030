"""Examples of operators that change the levels or the colors of images."""

from __future__ import annotations

from jaxdali import fn, types
from ..example import Group
from ..kits import PHOTOS
from ..pictures import images as of_images
from ..pictures import of

GROUP = Group("Levels and colors", PHOTOS, of_images)


@GROUP("fn.brightness", "UINT8 (240, 320, 3) HWC")
def brightness(images):
    """Every level times 1.6; what exceeds 255 is 255."""
    return fn.brightness(images, brightness=1.6)


@GROUP("fn.contrast", "UINT8 (240, 320, 3) HWC")
def contrast(images):
    """Levels come nearer to 128."""
    return fn.contrast(images, contrast=0.4)


@GROUP("fn.brightness_contrast", "UINT8 (240, 320, 3) HWC")
def brightness_contrast(images):
    """A darker image of more contrast; a fifth of the range is added."""
    return fn.brightness_contrast(
        images, brightness=0.6, contrast=2.0, brightness_shift=0.2
    )


@GROUP("fn.saturation", "UINT8 (240, 320, 3) HWC")
def saturation(images):
    """A quarter of the saturation is left."""
    return fn.saturation(images, saturation=0.25)


@GROUP("fn.hue", "UINT8 (240, 320, 3) HWC")
def hue(images):
    """Hues are rotated by 120 degrees."""
    return fn.hue(images, hue=120.0)


@GROUP("fn.hsv", "UINT8 (240, 320, 3) HWC")
def hsv(images):
    """Hues are rotated by 60 degrees, and colors are stronger and darker."""
    return fn.hsv(images, hue=60.0, saturation=1.5, value=0.8)


@GROUP("fn.color_twist", "UINT8 (240, 320, 3) HWC")
def color_twist(images):
    """What torchvision's ColorJitter changes, drawn for each sample."""
    return fn.color_twist(
        images,
        brightness=fn.random.uniform(range=(0.6, 1.4)),
        contrast=fn.random.uniform(range=(0.6, 1.4)),
        saturation=fn.random.uniform(range=(0.6, 1.4)),
        hue=fn.random.uniform(range=(-60, 60)),
    )


@GROUP("fn.color_space_conversion", "UINT8 (240, 320, 3) HWC")
def color_space_conversion(images):
    """The channels are Y, Cb and Cr; the picture shows them as red, green and blue."""
    return fn.color_space_conversion(
        images, image_type=types.RGB, output_type=types.YCbCr
    )


@GROUP("fn.equalize", "UINT8 (240, 320, 3) HWC")
def equalize(images):
    """Every level is as frequent as any other, by channel."""
    return fn.equalize(images)


@GROUP("fn.clahe", "UINT8 (240, 320, 3) HWC")
def clahe(images):
    """Tiles are equalized, and contrast is limited."""
    return fn.clahe(images, tiles_x=4, tiles_y=4, clip_limit=4.0)


@GROUP("fn.normalize", "FLOAT (240, 320, 3) HWC")
def normalize(images):
    """Each channel gets the mean 0 and the standard deviation 1; the picture shows the least number as black."""
    return fn.normalize(images, axis_names="HW")


@GROUP("fn.lookup_table", "UINT8 (240, 320, 3) HWC")
def lookup_table(images):
    """Levels of four bits: a table has a new level for each."""
    return fn.lookup_table(
        images,
        keys=list(range(256)),
        values=[k // 64 * 85 for k in range(256)],
        dtype=types.UINT8,
    )


@GROUP("fn.debayer", "UINT8 (240, 320, 3) HWC", drawing=of("mosaics"))
def debayer(mosaics):
    """The two colors that a pixel of a sensor lacks are interpolated.

    Blue is counted from the second row and column on.
    """
    return fn.debayer(mosaics, blue_position=[0, 0])
