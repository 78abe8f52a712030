"""Examples of functions of `jaxdali.image`: sizes, windows and positions."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

import jaxdali
from jaxdali import image
from ..example import Group
from ..kits import ARRAYS
from ..pictures import boxes_on_images, masks_on_images, of, of_first
from ..pictures import images as of_images

DECODING = Group("Decoding and lazy images", ARRAYS, of_first)
GEOMETRY = Group("Sizes, windows and positions", ARRAYS, of_images)
VOLUMES = Group("Volumes", ARRAYS, of("volumes"))
MAPS = Group("Affine maps", ARRAYS, of_images)
_BOXES = {"drawing": boxes_on_images}
_MASKS = {"drawing": masks_on_images}


@DECODING("image.decode", "uint8 (2, 240, 320, 3)", drawing=None)
def decode(files):
    """Whole images."""
    return image.decode(files, (240, 320))


@DECODING("image.decode_resample", "float32 (2, 128, 128, 3)")
def decode_resample(files):
    """A window of each image, resized and normalised; only what is needed is decoded."""
    windows = np.int32(
        [[20, 100, 160, 200], [20, 100, 160, 200]]
    )  # top, left, height, width
    return image.decode_resample(files, windows, (128, 128), mean=127.5, std=64.0)


@DECODING("image.open", "float32 (2, 128, 128, 3)")
def open(files, keys):
    """Steps that are computed in one pass, when the array is asked for; `jaxdali.image.Images` lists them."""
    windows = jaxdali.random.resized_crop_window(keys, files.sizes, area=(0.2, 0.6))
    return (
        image.open(files)
        .resized_crop(windows, (128, 128))
        .flip()
        .normalize(mean=127.5, std=64.0)
        .array()
    )


@DECODING("image.arrays", "uint8 (2, 160, 160, 3)", "uint8 (2, 64, 64, 3)")
def arrays(files):
    """Two sizes of each image, which is decoded once."""
    opened = image.open(files)
    return image.arrays(opened.resize(size=(160, 160)), opened.resize(size=(64, 64)))


@GEOMETRY("image.resize", "uint8 (2, 160, 160, 3)")
def resize(images):
    """To one size; the filter becomes wider where images become smaller."""
    return image.resize(images, (160, 160))


@GEOMETRY("image.resize", "uint8 (2, 160, 160, 3)", "uint8 (2, 160, 160, 1)", **_MASKS)
def resize_with_mask(images, masks):
    """Labels of a mask must not be blended: the nearest one is taken."""
    return image.resize(images, (160, 160)), image.resize(
        masks, (160, 160), min_filter="nearest", mag_filter="nearest"
    )


@GEOMETRY("image.resize_axes", "uint8 (2, 240, 160, 3)")
def resize_axes(images):
    """Along the width alone; axes are counted behind the first one, that of the batch."""
    return image.resize_axes(images, (1,), (160,))


@GEOMETRY("image.crop", "uint8 (2, 160, 160, 3)")
def crop(images):
    """A window of one size, at a place for each image."""
    return image.crop(images, np.int32([[40, 100], [40, 20]]), (160, 160))


@GEOMETRY("image.crop", "uint8 (2, 160, 200, 3)", "float32 (2, 2, 4)", **_BOXES)
def crop_with_boxes(images, boxes):
    """Boxes whose centre is in the window, as fractions of it."""
    start, size = (
        np.float32([[0.25, 0.25]] * 2),
        np.float32([[0.625, 0.667]] * 2),
    )  # x, y; width, height
    kept, _, _ = jaxdali.boxes.crop_boxes(boxes, start, size)
    return image.crop(images, np.int32([[60, 80]] * 2), (160, 200)), kept


@GEOMETRY("image.crop_anchor", "uint8 (2, 160, 160, 3)", "int32 (2, 2)")
def crop_anchor(images):
    """The corner of a window at three quarters of the free space."""
    shapes = np.int32([[240, 320, 3]] * 2)
    anchor = jnp.asarray(image.crop_anchor(shapes, (160, 160), (0.75, 0.75)))
    return image.crop(images, anchor, (160, 160)), anchor


@GEOMETRY("image.crop_windows", "uint8 (2, 240, 320, 3)")
def crop_windows(images):
    """Windows of several sizes; each is in the top left corner of a canvas."""
    return image.crop_windows(images, np.int32([[20, 100, 160, 200], [0, 0, 100, 100]]))


@GEOMETRY("image.flip", "uint8 (2, 240, 320, 3)")
def flip(images):
    """Left becomes right."""
    return image.flip(images)


@GEOMETRY(
    "image.flip",
    "uint8 (2, 240, 320, 3)",
    "uint8 (2, 240, 320, 1)",
    "float32 (2, 2, 4)",
    **_MASKS,
)
def flip_with_mask_and_boxes(images, masks, boxes, keys):
    """An image, its mask and its boxes are mirrored by the same draw."""
    mirror = jaxdali.random.coin_flip(keys, 0.9)
    return (
        image.flip(images, mirror),
        image.flip(masks, mirror),
        jaxdali.boxes.flip_boxes(boxes, mirror, ltrb=True),
    )


@GEOMETRY("image.rotate", "uint8 (2, 240, 320, 3)")
def rotate(images):
    """By 20 degrees against the clock; without `fill` the border is extended."""
    return image.rotate(images, 20.0, fill=0.0)


@GEOMETRY(
    "image.rotate",
    "uint8 (2, 240, 320, 3)",
    "uint8 (2, 240, 320, 1)",
    "float32 (2, 2, 4)",
    **_MASKS,
)
def rotate_with_mask_and_boxes(images, masks, boxes, keys):
    """An image, its mask and its boxes are turned by the same draw."""
    degrees = jaxdali.random.uniform(keys, minval=-30.0, maxval=30.0)
    turned = image.rotate(masks, degrees, fill=0.0, filter="nearest")
    kept, _, _ = jaxdali.boxes.rotate_boxes(
        boxes, degrees, np.int32([[240, 320]]), keep_size=True
    )
    return image.rotate(images, degrees, fill=0.0), turned, kept


@GEOMETRY("image.rotated_extents", "uint8 (2, 400, 400, 3)", "int32 (2, 2)")
def rotated_extents(images):
    """How large the whole of a rotated image is; canvases have room for it."""
    degrees = jnp.float32([20.0, 60.0])
    extents = image.rotated_extents(degrees, np.int32([[240, 320]] * 2))
    return image.rotate(images, degrees, (400, 400), extents=extents, fill=0.0), extents


@GEOMETRY("image.warp_affine", "uint8 (2, 240, 320, 3)")
def warp_affine(images):
    """A shear: the map says for each pixel of the output where it is in the input."""
    return image.warp_affine(images, np.float32([[1, 0.4, -48], [0, 1, 0]]), fill=0.0)


@GEOMETRY("image.warp_perspective", "uint8 (2, 240, 320, 3)")
def warp_perspective(images):
    """What is further down seems nearer."""
    return image.warp_perspective(
        images, np.float32([[1.6, 0, -96], [0, 1.6, -96], [0, 0.0025, 1]])
    )


@GEOMETRY("image.remap", "uint8 (2, 240, 320, 3)")
def remap(images):
    """Two maps say for each pixel of the output at which column and row of the input it is."""
    y, x = np.mgrid[0:240, 0:320].astype(np.float32)
    return image.remap(
        images, (x + 12 * np.sin(y / 16))[None], (y + 8 * np.sin(x / 20))[None]
    )


@GEOMETRY("image.sphere", "uint8 (2, 240, 320, 3)")
def sphere(images):
    """The middle is enlarged."""
    return image.sphere(images)


@GEOMETRY("image.water", "uint8 (2, 240, 320, 3)")
def water(images):
    """Waves of five pixels along both axes."""
    return image.water(images, amplitude=(5.0, 5.0), frequency=(0.06, 0.06))


@GEOMETRY("image.shaken", "uint8 (2, 240, 320, 3)")
def shaken(images, keys):
    """Each pixel comes from up to four pixels away."""
    moves = jaxdali.random.uniform(keys, (240, 320, 2), minval=-4.0, maxval=4.0)
    return image.shaken(images, jnp.round(moves))


@GEOMETRY("image.paste_regions", "uint8 (2, 240, 320, 3)")
def paste_regions(images):
    """A mosaic of four windows, two of each image of the batch; positions are rows and columns."""
    corners = np.int32([[[0, 0], [0, 160], [120, 0], [120, 160]]] * 2)
    starts, extents = (
        np.int32([[[120, 100], [0, 0], [100, 40], [10, 130]]] * 2),
        np.full((2, 4, 2), (120, 160), np.int32),
    )
    return image.paste_regions(
        images,
        np.int32([[0, 1, 1, 0]] * 2),
        (240, 320),
        starts=starts,
        extents=extents,
        places=corners,
    )


@VOLUMES("image.flip_volumes", "uint8 (2, 2, 240, 320, 3)")
def flip_volumes(volumes):
    """Top becomes bottom, in both slices."""
    return image.flip_volumes(volumes, vertical=1)


@VOLUMES("image.resize_volumes", "uint8 (2, 3, 120, 160, 3)")
def resize_volumes(volumes):
    """Three slices instead of two, half as high and wide."""
    return image.resize_volumes(volumes, (3, 120, 160))


@VOLUMES("image.rotate_volumes", "uint8 (2, 2, 240, 320, 3)")
def rotate_volumes(volumes):
    """Around the axis through the slices, (x, y, z)."""
    return image.rotate_volumes(volumes, 20.0, (0, 0, 1), fill=0.0)


@VOLUMES("image.rotated_volume_extents", "uint8 (2, 2, 400, 400, 3)", "int32 (2, 3)")
def rotated_volume_extents(volumes):
    """How large the whole of a rotated volume is."""
    axis = (0, 0, 1)
    extents = jnp.asarray(
        image.rotated_volume_extents(
            jnp.float32([20.0, 60.0]), axis, np.int32([[2, 240, 320]] * 2)
        )
    )
    turned = image.rotate_volumes(
        volumes,
        jnp.float32([20.0, 60.0]),
        axis,
        (2, 400, 400),
        extents=extents,
        fill=0.0,
    )
    return turned, extents


@MAPS("image.affine.translation", "uint8 (2, 240, 320, 3)")
def translation(images):
    """40 pixels to the right and 20 downwards."""
    return image.warp_affine(
        images, image.affine.translation([40.0, 20.0]), fill=0.0, inverse_map=False
    )


@MAPS("image.affine.rotation", "uint8 (2, 240, 320, 3)")
def rotation(images):
    """By 20 degrees around the middle."""
    return image.warp_affine(
        images,
        image.affine.rotation(20.0, np.float32([160, 120])),
        fill=0.0,
        inverse_map=False,
    )


@MAPS("image.affine.scaling", "uint8 (2, 240, 320, 3)")
def scaling(images):
    """Half as wide, around the middle."""
    scaled = image.affine.scaling([0.5, 1.0], np.float32([160, 120]))
    return image.warp_affine(images, scaled, fill=0.0, inverse_map=False)


@MAPS("image.affine.shear", "uint8 (2, 240, 320, 3)")
def shear(images):
    """Each row moves by 0.3 pixels more than the one above it."""
    sheared = image.affine.shear([0.3, 0.0], np.float32([160, 120]))
    return image.warp_affine(images, sheared, fill=0.0, inverse_map=False)


@MAPS("image.affine.shear_of_angles", "uint8 (2, 240, 320, 3)")
def shear_of_angles(images):
    """By an angle of 15 degrees."""
    sheared = image.affine.shear_of_angles(
        np.float32([15.0, 0.0]), np.float32([160, 120])
    )
    return image.warp_affine(images, sheared, fill=0.0, inverse_map=False)


@MAPS("image.affine.crop", "uint8 (2, 240, 320, 3)")
def affine_crop(images):
    """The window from (80, 60) to (240, 180) becomes the whole image."""
    window = image.affine.crop([80.0, 60.0], [240.0, 180.0], [0.0, 0.0], [320.0, 240.0])
    return image.warp_affine(images, window, inverse_map=False)


@MAPS("image.affine.combine", "uint8 (2, 240, 320, 3)")
def combine(images):
    """First a rotation, then a move; one warp does both."""
    turned, moved = (
        image.affine.rotation(20.0, np.float32([160, 120])),
        image.affine.translation([40.0, 0.0]),
    )
    return image.warp_affine(
        images, image.affine.combine(turned, moved), fill=0.0, inverse_map=False
    )


@MAPS("image.affine.inverted", "uint8 (2, 240, 320, 3)")
def inverted(images):
    """The map back, as `warp_affine` takes it without `inverse_map=False`."""
    turned = jnp.asarray(image.affine.rotation(20.0, np.float32([160, 120])))
    return image.warp_affine(images, image.affine.inverted(turned), fill=0.0)


@MAPS("image.affine.adjugate", "float32 (3, 3)", drawing=None)
def adjugate():
    """The inverse of a perspective map, but for a factor, which does not matter there."""
    return image.affine.adjugate(
        jnp.float32([[1.6, 0, -96], [0, 1.6, -96], [0, 0.0025, 1]])
    )


@MAPS("image.affine.transformed", "float32 (2, 2, 2)", drawing=None)
def transformed(boxes):
    """The left top corners of boxes, twice as far to the right."""
    return image.affine.transformed(boxes[..., :2], jnp.float32([[2, 0], [0, 1]]))
