"""The operators, each a record that is declared in a file of its own. Importing this declares all of them, and loads no
jax.
"""

from .arithmetic.operations import OPERATIONS
from .constant import constant
from .decoders.image import image
from .decoders.image_crop import image_crop
from .decoders.image_random_crop import image_random_crop
from .decoders.image_slice import image_slice
from .image.brightness_contrast import brightness_contrast
from .image.cast import cast
from .image.crop import crop
from .image.crop_mirror_normalize import crop_mirror_normalize
from .image.flip import flip
from .image.random_resized_crop import random_resized_crop
from .image.resize import resize
from .random.coin_flip import coin_flip
from .random.normal import normal
from .random.uniform import uniform
from .sources.external_source import external_source
from .sources.file_reader import file_reader
from .tensor.shape import shape
from .tensor.subscript import subscript

__all__ = [
    "OPERATIONS",
    "brightness_contrast",
    "cast",
    "coin_flip",
    "constant",
    "crop",
    "crop_mirror_normalize",
    "external_source",
    "file_reader",
    "flip",
    "image",
    "image_crop",
    "image_random_crop",
    "image_slice",
    "normal",
    "random_resized_crop",
    "resize",
    "shape",
    "subscript",
    "uniform",
]
