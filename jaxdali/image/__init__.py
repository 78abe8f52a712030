"""Pure functions on batches of images, for anyone's jit.

Every function works on a whole batch and on every platform: there is no `if platform` in here. A batch is
`EncodedBatch` (bytes of files) or an array `[N, H, W, C]`; where images differ in size, the array is a canvas:
each image is in its top left corner, and `shapes: int32[N, 3]` says how much of it is image.
"""

from jaxdali._base.batch import Row as Row
from jaxdali._base.batch import Status as Status
from jaxdali._base.missing import explain_missing
from jaxdali._device.image.axis_resize import resize_axes as resize_axes
from jaxdali._device.image.blur import gaussian_blur as gaussian_blur
from jaxdali._device.image.color import brightness_contrast as brightness_contrast
from jaxdali._device.image.color_matrix import color_twist as color_twist
from jaxdali._device.image.color_matrix import convert_color_space as convert_color_space
from jaxdali._device.image.color_matrix import hsv as hsv
from jaxdali._device.image.constructors import arrays as arrays
from jaxdali._device.image.constructors import open as open
from jaxdali._device.image.convert import round_to_dtype as round_to_dtype
from jaxdali._device.image.correlation import correlate as correlate
from jaxdali._device.image.correlation import laplacian as laplacian
from jaxdali._device.image.decode import decode as decode
from jaxdali._device.image.decode_resample import decode_resample as decode_resample
from jaxdali._device.image.encoded import EncodedBatch as EncodedBatch
from jaxdali._device.image.export import custom_call_targets as custom_call_targets
from jaxdali._device.image.geometry import crop as crop
from jaxdali._device.image.geometry import crop_anchor as crop_anchor
from jaxdali._device.image.geometry import crop_windows as crop_windows
from jaxdali._device.image.geometry import flip as flip
from jaxdali._device.image.image_normalize import normalize as normalize
from jaxdali._device.image.image_resize import resize as resize
from jaxdali._device.image.image_volumes import flip_volumes as flip_volumes
from jaxdali._device.image.image_volumes import resize_volumes as resize_volumes
from jaxdali._device.image.images import Images as Images
from jaxdali._device.image.jpeg_distortion import jpeg_distortion as jpeg_distortion
from jaxdali._device.image.lens_maps import shaken as shaken
from jaxdali._device.image.lens_maps import sphere as sphere
from jaxdali._device.image.lens_maps import water as water
from jaxdali._device.image.local_contrast import clahe as clahe
from jaxdali._device.image.mosaics import debayer as debayer
from jaxdali._device.image.pasting import paste_regions as paste_regions
from jaxdali._device.image.perspective import remap as remap
from jaxdali._device.image.perspective import warp_perspective as warp_perspective
from jaxdali._device.image.ranks import dilate as dilate
from jaxdali._device.image.ranks import erode as erode
from jaxdali._device.image.ranks import median_blur as median_blur
from jaxdali._device.image.stacked_images import StackedImages as StackedImages
from jaxdali._device.image.volume_rotation import rotate_volumes as rotate_volumes
from jaxdali._device.image.volume_rotation import rotated_volume_extents as rotated_volume_extents
from jaxdali._device.image.warp import rotate as rotate
from jaxdali._device.image.warp import rotated_extents as rotated_extents
from jaxdali._device.image.warp import warp_affine as warp_affine
from . import affine as affine

__all__ = [
    "EncodedBatch",
    "Images",
    "Row",
    "StackedImages",
    "Status",
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

__getattr__ = explain_missing(__name__, __all__)


def __dir__() -> list[str]:
    return __all__
