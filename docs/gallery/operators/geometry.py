"""Examples of operators that change the size, the window or the position of images."""

from __future__ import annotations

import numpy as np

from jaxdali import fn, types
from ..example import Group
from ..kits import MASKS, PHOTOS
from ..pictures import images as of_images
from ..pictures import masks_on_images

GROUP = Group("Sizes, windows and positions of images", PHOTOS, of_images)
_MASKS = {"kit": MASKS, "drawing": masks_on_images}


@GROUP("fn.resize", "UINT8 (120, 160, 3) HWC")
def resize(images):
    """The shorter side gets 120 pixels, and the other one follows."""
    return fn.resize(images, resize_shorter=120)


@GROUP("fn.resize", "UINT8 (160, 160, 3) HWC", "INT32 (160, 160, 1) HWC", **_MASKS)
def resize_with_mask(images, masks):
    """A mask goes with its image; its labels must not be blended: `interp_type=types.INTERP_NN`."""
    return fn.resize(images, size=(160, 160)), fn.resize(
        masks, size=(160, 160), interp_type=types.INTERP_NN
    )


@GROUP("fn.resize_crop_mirror", "UINT8 (160, 160, 3) HWC")
def resize_crop_mirror(images):
    """The shorter side gets 180 pixels; the middle of that is mirrored."""
    return fn.resize_crop_mirror(images, resize_shorter=180, crop=(160, 160), mirror=1)


@GROUP("fn.tensor_resize", "UINT8 (240, 160, 3) HWC")
def tensor_resize(images):
    """The second axis is half as long, the others stay."""
    return fn.tensor_resize(images, scales=[0.5], axes=[1])


@GROUP("fn.random_resized_crop", "UINT8 (160, 160, 3) HWC")
def random_resized_crop(images):
    """A window of a tenth to a half of the image, as training on ImageNet uses them."""
    return fn.random_resized_crop(images, size=(160, 160), random_area=[0.1, 0.5])


@GROUP("fn.crop", "UINT8 (160, 160, 3) HWC")
def crop(images):
    """A window of 160 x 160 pixels at the right edge."""
    return fn.crop(images, crop=(160, 160), crop_pos_x=1.0, crop_pos_y=0.5)


@GROUP("fn.crop_mirror_normalize", "FLOAT (3, 200, 200) CHW")
def crop_mirror_normalize(images):
    """What networks are often fed: mirrored for half of the samples, normalised, channels first."""
    return fn.crop_mirror_normalize(
        images,
        crop=(200, 200),
        mean=[123.7, 116.3, 103.5],
        std=[58.4, 57.1, 57.4],
        mirror=fn.random.coin_flip(),
    )


@GROUP("fn.slice", "UINT8 (120, 160, 3) HWC")
def slice(images):
    """A window from a quarter of the height and width, and half as large as the image."""
    return fn.slice(
        images, rel_start=(0.25, 0.25), rel_shape=(0.5, 0.5), axis_names="HW"
    )


@GROUP("fn.flip", "UINT8 (240, 320, 3) HWC")
def flip(images):
    """Left becomes right."""
    return fn.flip(images)


@GROUP("fn.flip", "UINT8 (240, 320, 3) HWC", "INT32 (240, 320, 1) HWC", **_MASKS)
def flip_with_mask(images, masks):
    """An image and its mask are mirrored by the same draws."""
    vertical = fn.random.coin_flip(probability=0.9)
    return fn.flip(images, horizontal=0, vertical=vertical), fn.flip(
        masks, horizontal=0, vertical=vertical
    )


@GROUP("fn.rotate", "UINT8 (336, 384, 3) HWC")
def rotate(images):
    """By 20 degrees against the clock; the canvas grows, and its corners are black."""
    return fn.rotate(images, angle=20.0, fill_value=0)


@GROUP("fn.rotate", "UINT8 (240, 320, 3) HWC", "INT32 (240, 320, 1) HWC", **_MASKS)
def rotate_with_mask(images, masks):
    """An image and its mask are turned by the same draws, and keep their size."""
    angle = fn.random.uniform(range=(-45, 45))
    image = fn.rotate(images, angle=angle, fill_value=0, keep_size=True)
    return image, fn.rotate(
        masks, angle=angle, fill_value=0, keep_size=True, interp_type=types.INTERP_NN
    )


@GROUP("fn.warp_affine", "UINT8 (240, 320, 3) HWC")
def warp_affine(images):
    """A shear: the map says for each pixel of the output where it is in the input."""
    return fn.warp_affine(images, matrix=(1.0, 0.4, -48.0, 0.0, 1.0, 0.0), fill_value=0)


@GROUP("fn.experimental.warp_perspective", "UINT8 (240, 320, 3) HWC")
def warp_perspective(images):
    """What is further down seems nearer."""
    return fn.experimental.warp_perspective(
        images, matrix=(1.6, 0.0, -96.0, 0.0, 1.6, -96.0, 0.0, 0.0025, 1.0)
    )


@GROUP("fn.experimental.remap", "UINT8 (240, 320, 3) HWC")
def remap(images):
    """Two maps say for each pixel of the output at which column and row of the input it is."""
    y, x = np.mgrid[0:240, 0:320].astype(np.float32)
    return fn.experimental.remap(
        images, x + 12 * np.sin(y / 16), y + 8 * np.sin(x / 20)
    )


@GROUP("fn.sphere", "UINT8 (240, 320, 3) HWC")
def sphere(images):
    """The middle is enlarged."""
    return fn.sphere(images)


@GROUP("fn.water", "UINT8 (240, 320, 3) HWC")
def water(images):
    """Waves of five pixels along both axes."""
    return fn.water(images, ampl_x=5.0, ampl_y=5.0, freq_x=0.06, freq_y=0.06)


@GROUP("fn.jitter", "UINT8 (240, 320, 3) HWC")
def jitter(images):
    """Each pixel comes from up to four pixels away."""
    return fn.jitter(images, nDegree=9)


@GROUP("fn.paste", "UINT8 (360, 480, 3) HWC")
def paste(images):
    """A canvas that is larger by half; the image is at its top left."""
    return fn.paste(
        images, ratio=1.5, fill_value=(40, 60, 120), paste_x=0.1, paste_y=0.1
    )


@GROUP("fn.multi_paste", "UINT8 (240, 320, 3) HWC")
def multi_paste(images):
    """A mosaic of four windows, two of each image of the batch."""
    return fn.multi_paste(
        images,
        in_ids=np.int32([0, 1, 1, 0]),
        in_anchors_rel=np.float32([[0.5, 0.3], [0.0, 0.0], [0.4, 0.1], [0.0, 0.4]]),
        shapes_rel=np.full((4, 2), 0.5, np.float32),
        out_anchors_rel=np.float32([[0, 0], [0, 0.5], [0.5, 0], [0.5, 0.5]]),
        output_size=(240, 320),
    )


@GROUP("fn.pad", "UINT8 (256, 384, 3) HWC")
def pad(images):
    """To multiples of 128, below and on the right."""
    return fn.pad(images, axis_names="HW", align=(128, 128), fill_value=128)
