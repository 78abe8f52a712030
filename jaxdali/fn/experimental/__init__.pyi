from .. import equalize as equalize
from .. import peek_image_shape as peek_image_shape
from . import decoders as decoders
