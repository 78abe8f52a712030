"""What operators are called as classes, and what their calls are named after."""

from __future__ import annotations

__all__ = ["class_name"]

# Words that DALI writes in another way than with one capital.
_WORDS = dict(
    bbox="BBox", coco="COCO", mfcc="MFCC", mxnet="MXNet", rms="RMS", roi="ROI", ssd="SSD", tfrecord="TFRecord"
)


def class_name(name: str) -> str:
    """What a function of `fn` is called in `ops`: "crop_mirror_normalize" is CropMirrorNormalize."""
    return "".join(_WORDS.get(part, part.capitalize()) for part in name.split("_"))
