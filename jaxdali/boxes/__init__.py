"""Pure functions on boxes and points of images, for anyone's jit.

Coordinates are fractions of the image, `[..., 4]`: x, y, width, height; or left, top, right, bottom (`ltrb`). Points are
`[..., 2]` or `[..., 3]`: x, y, z.
"""

from .flips import flip_boxes as flip_boxes
from .flips import flip_points as flip_points
from .flips import paste_boxes as paste_boxes

__all__ = ["flip_boxes", "flip_points", "paste_boxes"]
