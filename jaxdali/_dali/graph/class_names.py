"""Converts operator names to class names, which also name their calls."""

from __future__ import annotations

__all__ = ["class_name"]

# Words that DALI does not write with a single capital.
_WORDS = dict(
    bbox="BBox", coco="COCO", mfcc="MFCC", mxnet="MXNet", rms="RMS", roi="ROI", ssd="SSD", tfrecord="TFRecord"
)


def class_name(name: str) -> str:
    """Returns the name in `ops` of a function of `fn`: "crop_mirror_normalize" becomes "CropMirrorNormalize"."""
    return "".join(_WORDS.get(part, part.capitalize()) for part in name.split("_"))
