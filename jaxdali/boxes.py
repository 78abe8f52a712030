"""Pure functions on boxes and points of images, for anyone's jit.

Coordinates are fractions of the image, `[..., 4]`: x, y, width, height; or left, top, right, bottom (`ltrb`). Points are
`[..., 2]` or `[..., 3]`: x, y, z.
"""

from jaxdali._device.boxes.crops import crop_boxes as crop_boxes
from jaxdali._device.boxes.crops import random_crop as random_crop
from jaxdali._device.boxes.encode import encode_boxes as encode_boxes
from jaxdali._device.boxes.encode import intersection_over_union as intersection_over_union
from jaxdali._device.boxes.flips import flip_boxes as flip_boxes
from jaxdali._device.boxes.flips import flip_points as flip_points
from jaxdali._device.boxes.flips import paste_boxes as paste_boxes
from jaxdali._device.boxes.object_boxes import blobs as blobs
from jaxdali._device.boxes.object_boxes import random_object as random_object
from jaxdali._device.boxes.polygons import select_masks as select_masks
from jaxdali._device.boxes.rotations import rotate_boxes as rotate_boxes

__all__ = [
    "blobs",
    "crop_boxes",
    "encode_boxes",
    "flip_boxes",
    "flip_points",
    "intersection_over_union",
    "paste_boxes",
    "random_crop",
    "random_object",
    "rotate_boxes",
    "select_masks",
]


def __dir__() -> list[str]:
    return __all__
