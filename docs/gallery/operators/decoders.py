"""Examples of operators that decode files."""

from __future__ import annotations

from jaxdali import fn
from ..example import Group
from ..kits import CLIPS, PHOTOS, SOUNDS, Kit
from ..pictures import of_first, of_sound

GROUP = Group("Decoders", PHOTOS)
_WINDOW = {"drawing": of_first}


@GROUP("fn.decoders.image", "UINT8 (240, 320, 3) HWC")
def image(files):
    """Whole images, in red, green and blue."""
    return fn.decoders.image(files)


@GROUP("fn.decoders.image_crop", "UINT8 (160, 160, 3) HWC", **_WINDOW)
def image_crop(files):
    """Only the window in the middle is decoded."""
    return fn.decoders.image_crop(files, crop=(160, 160))


@GROUP("fn.decoders.image_random_crop", "UINT8 (*, *, 3) HWC", **_WINDOW)
def image_random_crop(files):
    """A window of a tenth to a half of the image."""
    return fn.decoders.image_random_crop(files, random_area=[0.1, 0.5])


@GROUP("fn.decoders.image_slice", "UINT8 (120, 160, 3) HWC", **_WINDOW)
def image_slice(files):
    """The quarter at the bottom right."""
    return fn.decoders.image_slice(
        files, rel_start=(0.5, 0.5), rel_shape=(0.5, 0.5), axis_names="HW"
    )


@GROUP("fn.peek_image_shape", "INT64 (3,)")
def peek_image_shape(files):
    """Height, width and channels, here `[240, 320, 3]`."""
    return fn.peek_image_shape(files)


@GROUP("fn.decoders.audio", "FLOAT (8000,)", "FLOAT ()", kit=SOUNDS, drawing=of_sound)
def audio(sounds):
    """The signal, whose channels are averaged, and its rate, 8000 Hz."""
    signal, rate = fn.decoders.audio(sounds, downmix=True)
    return signal, rate


@GROUP("fn.decoders.video", "UINT8 (4, 48, 64, 3) FHWC", kit=CLIPS)
def video(videos):
    """Four frames from the third one on."""
    return fn.decoders.video(videos, start_frame=2, sequence_length=4)


@GROUP(
    "fn.decoders.numpy",
    "FLOAT (3, 4)",
    kit=Kit(('arrays, _ = fn.readers.file(files=["numbers.npy"] * 2)',)),
)
def numpy(arrays):
    """Files of `np.save`, that are read as bytes."""
    return fn.decoders.numpy(arrays)
