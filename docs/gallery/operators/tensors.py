"""Examples of operators on arrays of any kind: their types and shapes, parts and joins, and what fills them."""

from __future__ import annotations

import numpy as np

from jaxdali import fn, types
from ..example import Group
from ..kits import NOTHING, PHOTOS
from ..pictures import of

SHAPES = Group("Types and shapes", PHOTOS)
PARTS = Group("Parts, joins and order", PHOTOS)
FILLED = Group("Arrays of given numbers", NOTHING)


@SHAPES("fn.cast", "FLOAT (240, 320, 3) HWC")
def cast(images):
    """Levels as floats; fractions of the range are a division away: `images / 255`."""
    return fn.cast(images, dtype=types.FLOAT)


@SHAPES("fn.cast_like", "FLOAT (240, 320, 3) HWC")
def cast_like(images):
    """The type of another node."""
    return fn.cast_like(images, fn.random.uniform())


@SHAPES("fn.reshape", "UINT8 (240, 960)")
def reshape(images):
    """Each line of pixels as one row."""
    return fn.reshape(images, shape=[240, -1])


@SHAPES("fn.reinterpret", "INT32 (240, 320, 1) HWC")
def reinterpret(images):
    """The four bytes of red, green, blue and nothing as one number."""
    return fn.reinterpret(fn.pad(images, axes=[2], shape=[4]), dtype=types.INT32)


@SHAPES("fn.transpose", "UINT8 (3, 240, 320) CHW")
def transpose(images):
    """Channels first."""
    return fn.transpose(images, perm=[2, 0, 1])


@SHAPES("fn.expand_dims", "UINT8 (1, 240, 320, 3) FHWC")
def expand_dims(images):
    """A sequence of one frame."""
    return fn.expand_dims(images, axes=[0], new_axis_names="F")


@SHAPES("fn.squeeze", "UINT8 (240, 320) HW")
def squeeze(images):
    """A gray image without its axis of channels."""
    return fn.squeeze(images[:, :, 0:1], axis_names="C")


@SHAPES("fn.per_frame", "UINT8 (2, 240, 320, 3) FHWC")
def per_frame(frames):
    """Each of two frames is blurred in its own way."""
    return fn.gaussian_blur(frames, sigma=fn.per_frame(np.float32([0.5, 4.0])))


@SHAPES("fn.one_hot", "FLOAT (4,)")
def one_hot(labels):
    """The label 1 becomes `[0, 1, 0, 0]`."""
    return fn.one_hot(labels, num_classes=4)


@SHAPES("fn.get_property", "UINT8 (*,)")
def get_property(files):
    """The name of the file, as bytes."""
    return fn.get_property(files, key="source_info")


@SHAPES("fn.copy", "UINT8 (240, 320, 3) HWC")
def copy(images):
    """The same images; no memory is copied."""
    return fn.copy(images)


@PARTS("fn.cat", "UINT8 (480, 320, 3) HWC", drawing=of("images"))
def cat(images):
    """An image above its mirror image."""
    return fn.cat(images, fn.flip(images, horizontal=0, vertical=1), axis_name="H")


@PARTS("fn.stack", "UINT8 (2, 240, 320, 3) FHWC", drawing=of("images"))
def stack(images):
    """An image and its mirror image as a sequence of two frames."""
    return fn.stack(images, fn.flip(images), axis_name="F")


@PARTS("fn.element_extract", "UINT8 (240, 320, 3) HWC", drawing=of("frames"))
def element_extract(frames):
    """The second frame of a sequence."""
    return fn.element_extract(frames, element_map=[1])


@PARTS("fn.sequence_rearrange", "UINT8 (3, 240, 320, 3) FHWC", drawing=of("frames"))
def sequence_rearrange(frames):
    """The second frame, then the first one, then the second one again."""
    return fn.sequence_rearrange(frames, new_order=[1, 0, 1])


@PARTS("fn.permute_batch", "UINT8 (240, 320, 3) HWC", drawing=of("images"))
def permute_batch(images):
    """The two samples of the batch are exchanged."""
    return fn.permute_batch(images, indices=[1, 0])


@FILLED("fn.constant", "FLOAT (3,)")
def constant():
    """The same three numbers for every sample."""
    return fn.constant(fdata=[0.5, 1.0, 2.0])


@FILLED("fn.full", "INT32 (2, 3)")
def full():
    """Sevens."""
    return fn.full(7, shape=(2, 3))


@FILLED("fn.full_like", "UINT8 (240, 320, 3) HWC", kit=PHOTOS)
def full_like(images):
    """A color for images of the same sizes."""
    return fn.full_like(images, [40, 60, 120])


@FILLED("fn.ones", "FLOAT (2, 3)")
def ones():
    """Ones, as floats."""
    return fn.ones(shape=(2, 3), dtype=types.FLOAT)


@FILLED("fn.ones_like", "UINT8 (240, 320, 3) HWC", kit=PHOTOS)
def ones_like(images):
    """Ones of the type and the shapes of the images."""
    return fn.ones_like(images)


@FILLED("fn.zeros", "FLOAT (2, 3)")
def zeros():
    """Zeros, as floats."""
    return fn.zeros(shape=(2, 3), dtype=types.FLOAT)


@FILLED("fn.zeros_like", "INT32 (240, 320, 3) HWC", kit=PHOTOS)
def zeros_like(images):
    """Zeros of the shapes of the images, as integers of 32 bits."""
    return fn.zeros_like(images, dtype=types.INT32)
