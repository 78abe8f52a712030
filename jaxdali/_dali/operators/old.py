"""DALI's old names: operators and arguments that DALI deprecates but still accepts. So do we, with its warning."""

from __future__ import annotations

import warnings
from typing import Any

from jaxdali.errors import ConfigTypeError
from ..graph.call import MutableParams, Params
from ..graph.call_sites import user_stacklevel

__all__ = ["OLD_DEFAULTS", "OLD_NAMES", "current_arguments", "old_arguments", "warn_of_name"]

# Old names of operators in `fn`, and their present names.
OLD_NAMES = {
    "audio_decoder": "decoders.audio",
    "caffe2_reader": "readers.caffe2",
    "caffe_reader": "readers.caffe",
    "coco_reader": "readers.coco",
    "coin_flip": "random.coin_flip",
    "experimental.audio_resample": "audio_resample",
    "experimental.debayer": "debayer",
    "experimental.decoders.image": "decoders.image",
    "experimental.decoders.image_crop": "decoders.image_crop",
    "experimental.decoders.image_random_crop": "decoders.image_random_crop",
    "experimental.decoders.image_slice": "decoders.image_slice",
    "experimental.decoders.video": "decoders.video",
    "experimental.equalize": "equalize",
    "experimental.filter": "filter",
    "experimental.peek_image_shape": "peek_image_shape",
    "experimental.tensor_resize": "tensor_resize",
    "fast_resize_crop_mirror": "resize_crop_mirror",
    "file_reader": "readers.file",
    "image_decoder": "decoders.image",
    "image_decoder_crop": "decoders.image_crop",
    "image_decoder_random_crop": "decoders.image_random_crop",
    "image_decoder_slice": "decoders.image_slice",
    "mxnet_reader": "readers.mxnet",
    "nemo_asr_reader": "readers.nemo_asr",
    "normal_distribution": "random.normal",
    "numpy_reader": "readers.numpy",
    "sequence_reader": "readers.sequence",
    "shapes": "shape",
    "transform_translation": "transforms.translation",
    "tfrecord_reader": "readers.tfrecord",
    "uniform": "random.uniform",
    "video_reader": "readers.video",
    "video_reader_resize": "readers.video_resize",
}
# Defaults that differ under an old name.
OLD_DEFAULTS: dict[str, MutableParams] = {"fast_resize_crop_mirror": {"antialias": False}}


def warn_of_name(display_name: str, operator: Any, now: str) -> None:
    """Warns that an operator was called by its old name, such as "ops.FileReader", instead of its present one."""
    now = now if operator.namespace else f"DataNode.{operator.display_name}"
    _warn(f"{display_name} is the old name of {now}; use that")


def old_arguments(operator: Any) -> dict[str, str]:
    """Returns the arguments that are accepted with a warning, and the text of the warning."""
    found = {}
    for name, old in operator.old.items():
        found[name] = f"is the old name of {old.now}=; use that" if old.now else "has no effect any more; leave it out"
    if operator.namespace == "fn" and not any(param.name == "seed" for param in operator.params):
        found["seed"] = "has no effect on an operator that draws nothing; leave it out"
    return found


def current_arguments(operator: Any, display_name: str, arguments: Params) -> MutableParams:
    """Returns the arguments under their present names, without those that have no effect any more.

    Args:
        display_name: how the user wrote the operator.

    Raises:
        ConfigTypeError: an argument was given by both names.
    """
    texts = old_arguments(operator)
    found = {name: value for name, value in arguments.items() if name not in texts}
    for name, value in arguments.items():
        if name not in texts or value is None:
            continue
        now = operator.old[name].now if name in operator.old else ""
        if now and found.get(now) is not None:
            raise ConfigTypeError(f"{display_name} got both {now}= and {name}=, its old name; give it once, as {now}=")
        _warn(f"{name}= of {display_name} {texts[name]}")
        if now:
            found[now] = value
    return found


def _warn(text: str) -> None:
    warnings.warn(text, DeprecationWarning, stacklevel=user_stacklevel())
