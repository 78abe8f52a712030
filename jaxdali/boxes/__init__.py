"""Pure functions on boxes and points of images, for anyone's jit.

Coordinates are fractions of the image, `[..., 4]`: x, y, width, height; or left, top, right, bottom (`ltrb`). Points are
`[..., 2]` or `[..., 3]`: x, y, z.
"""

from .crops import crop_boxes as crop_boxes
from .crops import random_crop as random_crop
from .encode import encode_boxes as encode_boxes
from .encode import intersection_over_union as intersection_over_union
from .flips import flip_boxes as flip_boxes
from .flips import flip_points as flip_points
from .flips import paste_boxes as paste_boxes
from .objects import blobs as blobs
from .objects import random_object as random_object
from .polygons import select_masks as select_masks
from .rotations import rotate_boxes as rotate_boxes

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
