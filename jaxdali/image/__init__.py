"""Pure functions on batches of images, for anyone's jit.

Every function works on a whole batch and on every platform: there is no `if platform` in here. A batch is
`EncodedBatch` (bytes of files) or an array `[N, H, W, C]`; where images differ in size, the array is a canvas:
each image is in its top left corner, and `shapes: int32[N, 3]` says how much of it is image.
"""

from . import affine as affine
from .axes import resize_axes as resize_axes
from .blur import gaussian_blur as gaussian_blur
from .clahe import clahe as clahe
from .color import brightness_contrast as brightness_contrast
from .color_matrix import color_twist as color_twist
from .color_matrix import convert_color_space as convert_color_space
from .color_matrix import hsv as hsv
from .constructors import arrays as arrays
from .constructors import open as open
from .convert import round_to_dtype as round_to_dtype
from .correlation import correlate as correlate
from .correlation import laplacian as laplacian
from .decode import decode as decode
from .decode_resample import decode_resample as decode_resample
from .encoded import EncodedBatch as EncodedBatch
from .export import custom_call_targets as custom_call_targets
from .geometry import crop as crop
from .geometry import crop_anchor as crop_anchor
from .geometry import crop_windows as crop_windows
from .geometry import flip as flip
from .images import Images as Images
from .jpeg_distortion import jpeg_distortion as jpeg_distortion
from .lenses import shaken as shaken
from .lenses import sphere as sphere
from .lenses import water as water
from .mosaics import debayer as debayer
from .normalize import normalize as normalize
from .pasting import paste_regions as paste_regions
from .perspective import remap as remap
from .perspective import warp_perspective as warp_perspective
from .ranks import dilate as dilate
from .ranks import erode as erode
from .ranks import median_blur as median_blur
from .resize import resize as resize
from .volume_rotation import rotate_volumes as rotate_volumes
from .volume_rotation import rotated_volume_extents as rotated_volume_extents
from .volumes import flip_volumes as flip_volumes
from .volumes import resize_volumes as resize_volumes
from .warp import rotate as rotate
from .warp import rotated_extents as rotated_extents
from .warp import warp_affine as warp_affine

__all__ = [
    "EncodedBatch",
    "Images",
    "affine",
    "arrays",
    "brightness_contrast",
    "clahe",
    "color_twist",
    "convert_color_space",
    "correlate",
    "crop",
    "crop_anchor",
    "crop_windows",
    "custom_call_targets",
    "debayer",
    "decode",
    "decode_resample",
    "dilate",
    "erode",
    "flip",
    "flip_volumes",
    "gaussian_blur",
    "hsv",
    "jpeg_distortion",
    "laplacian",
    "median_blur",
    "normalize",
    "open",
    "paste_regions",
    "remap",
    "resize",
    "resize_axes",
    "resize_volumes",
    "rotate",
    "rotate_volumes",
    "rotated_extents",
    "rotated_volume_extents",
    "round_to_dtype",
    "shaken",
    "sphere",
    "warp_affine",
    "warp_perspective",
    "water",
]
