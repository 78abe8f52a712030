"""The policies that the paper of AutoAugment found (arXiv:1805.09501), with 11 bins of magnitudes."""

from __future__ import annotations

from typing import Any

from . import augmentations as a
from .core.augmentation import Augmentation
from .core.policy import Policy
from .translations import translations

__all__ = [
    "get_image_net_policy",
    "get_reduced_cifar10_policy",
    "get_reduced_image_net_policy",
    "get_svhn_policy",
]

_BINS = 11
# Of a sub-policy one step after the other: the augmentation, its probability, and its magnitude bin.
_Steps = tuple[tuple[str, float, int | None], ...]

_IMAGE_NET: tuple[_Steps, ...] = (
    (("equalize", 0.8, None), ("shear_y", 0.8, 4)),
    (("color", 0.4, 9), ("equalize", 0.6, None)),
    (("color", 0.4, 1), ("rotate", 0.6, 8)),
    (("solarize", 0.8, 3), ("equalize", 0.4, None)),
    (("solarize", 0.4, 2), ("solarize", 0.6, 2)),
    (("color", 0.2, 0), ("equalize", 0.8, None)),
    (("equalize", 0.4, None), ("solarize_add", 0.8, 3)),
    (("shear_x", 0.2, 9), ("rotate", 0.6, 8)),
    (("color", 0.6, 1), ("equalize", 1.0, None)),
    (("invert", 0.4, None), ("rotate", 0.6, 0)),
    (("equalize", 1.0, None), ("shear_y", 0.6, 3)),
    (("color", 0.4, 7), ("equalize", 0.6, None)),
    (("posterize", 0.4, 6), ("auto_contrast", 0.4, None)),
    (("solarize", 0.6, 8), ("color", 0.6, 9)),
    (("solarize", 0.2, 4), ("rotate", 0.8, 9)),
    (("rotate", 1.0, 7), ("translate_y", 0.8, 9)),
    (("solarize", 0.8, 4),),
    (("shear_y", 0.8, 0), ("color", 0.6, 4)),
    (("color", 1.0, 0), ("rotate", 0.6, 2)),
    (("equalize", 0.8, None),),
    (("equalize", 1.0, None), ("auto_contrast", 0.6, None)),
    (("shear_y", 0.4, 7), ("solarize_add", 0.6, 7)),
    (("posterize", 0.8, 2), ("solarize", 0.6, 10)),
    (("solarize", 0.6, 8), ("equalize", 0.6, None)),
    (("color", 0.8, 6), ("rotate", 0.4, 5)),
)
_REDUCED_IMAGE_NET: tuple[_Steps, ...] = (
    (("posterize", 0.4, 8), ("rotate", 0.6, 9)),
    (("solarize", 0.6, 5), ("auto_contrast", 0.6, None)),
    (("equalize", 0.8, None), ("equalize", 0.6, None)),
    (("posterize", 0.6, 7), ("posterize", 0.6, 6)),
    (("equalize", 0.4, None), ("solarize", 0.2, 4)),
    (("equalize", 0.4, None), ("rotate", 0.8, 8)),
    (("solarize", 0.6, 3), ("equalize", 0.6, None)),
    (("posterize", 0.8, 5), ("equalize", 1.0, None)),
    (("rotate", 0.2, 3), ("solarize", 0.6, 8)),
    (("equalize", 0.6, None), ("posterize", 0.4, 6)),
    (("rotate", 0.8, 8), ("color", 0.4, 0)),
    (("rotate", 0.4, 9), ("equalize", 0.6, None)),
    (("equalize", 0.8, None),),
    (("invert", 0.6, None), ("equalize", 1.0, None)),
    (("color", 0.6, 4), ("contrast", 1.0, 8)),
    (("rotate", 0.8, 8), ("color", 1.0, 2)),
    (("color", 0.8, 8), ("solarize", 0.8, 7)),
    (("sharpness", 0.4, 7), ("invert", 0.6, None)),
    (("shear_x", 0.6, 5), ("equalize", 1.0, None)),
    (("color", 0.4, 0), ("equalize", 0.6, None)),
    (("equalize", 0.4, None), ("solarize", 0.2, 4)),
    (("solarize", 0.6, 5), ("auto_contrast", 0.6, None)),
    (("invert", 0.6, None), ("equalize", 1.0, None)),
    (("color", 0.6, 4), ("contrast", 1.0, 8)),
    (("equalize", 0.8, None), ("equalize", 0.6, None)),
)
_SVHN: tuple[_Steps, ...] = (
    (("shear_x", 0.9, 4), ("invert", 0.2, None)),
    (("shear_y", 0.9, 8), ("invert", 0.7, None)),
    (("equalize", 0.6, None), ("solarize", 0.6, 6)),
    (("invert", 0.9, None), ("equalize", 0.6, None)),
    (("equalize", 0.6, None), ("rotate", 0.9, 3)),
    (("shear_x", 0.9, 4), ("auto_contrast", 0.8, None)),
    (("shear_y", 0.9, 8), ("invert", 0.4, None)),
    (("shear_y", 0.9, 5), ("solarize", 0.2, 6)),
    (("invert", 0.9, None), ("auto_contrast", 0.8, None)),
    (("equalize", 0.6, None), ("rotate", 0.9, 3)),
    (("shear_x", 0.9, 4), ("solarize", 0.3, 3)),
    (("shear_y", 0.8, 8), ("invert", 0.7, None)),
    (("equalize", 0.9, None), ("translate_y", 0.6, 6)),
    (("invert", 0.9, None), ("equalize", 0.6, None)),
    (("contrast", 0.3, 3), ("rotate", 0.8, 4)),
    (("invert", 0.8, None),),
    (("shear_y", 0.7, 6), ("solarize", 0.4, 8)),
    (("invert", 0.6, None), ("rotate", 0.8, 4)),
    (("shear_y", 0.3, 7), ("translate_x", 0.9, 3)),
    (("shear_x", 0.1, 6), ("invert", 0.6, None)),
    (("solarize", 0.7, 2), ("translate_y", 0.6, 7)),
    (("shear_y", 0.8, 4), ("invert", 0.8, None)),
    (("shear_x", 0.7, 9), ("translate_y", 0.8, 3)),
    (("shear_y", 0.8, 5), ("auto_contrast", 0.7, None)),
    (("shear_x", 0.7, 2), ("invert", 0.1, None)),
)
_REDUCED_CIFAR10: tuple[_Steps, ...] = (
    (("invert", 0.1, None), ("contrast", 0.2, 6)),
    (("rotate", 0.7, 2), ("translate_x", 0.3, 9)),
    (("sharpness", 0.8, 1), ("sharpness", 0.9, 3)),
    (("shear_y", 0.5, 8), ("translate_y", 0.7, 9)),
    (("auto_contrast", 0.5, None), ("equalize", 0.9, None)),
    (("shear_y", 0.2, 7), ("posterize", 0.3, 7)),
    (("color", 0.4, 3), ("brightness", 0.6, 7)),
    (("sharpness", 0.3, 9), ("brightness", 0.7, 9)),
    (("equalize", 0.6, None), ("equalize", 0.5, None)),
    (("contrast", 0.6, 7), ("sharpness", 0.6, 5)),
    (("color", 0.7, 7), ("translate_x", 0.5, 8)),
    (("equalize", 0.3, None), ("auto_contrast", 0.4, None)),
    (("translate_y", 0.4, 3), ("sharpness", 0.2, 6)),
    (("brightness", 0.9, 6), ("color", 0.2, 8)),
    (("solarize", 0.5, 2),),
    (("equalize", 0.2, None), ("auto_contrast", 0.6, None)),
    (("equalize", 0.2, None), ("equalize", 0.6, None)),
    (("color", 0.9, 9), ("equalize", 0.6, None)),
    (("auto_contrast", 0.8, None), ("solarize", 0.2, 8)),
    (("brightness", 0.1, 3), ("color", 0.7, 0)),
    (("solarize", 0.4, 5), ("auto_contrast", 0.9, None)),
    (("translate_y", 0.9, 9), ("translate_y", 0.7, 9)),
    (("auto_contrast", 0.9, None), ("solarize", 0.8, 3)),
    (("equalize", 0.8, None), ("invert", 0.1, None)),
    (("translate_y", 0.7, 9), ("auto_contrast", 0.9, None)),
)


def _policy(name: str, sub_policies: tuple[_Steps, ...], moved: list[Augmentation]) -> Policy:
    factor: Any = {"mag_range": (0.1, 1.9), "randomly_negate": False, "mag_to_param": None}
    several = [
        *moved,
        a.shear_x.augmentation((0, 0.3), True),
        a.shear_y.augmentation((0, 0.3), True),
        a.rotate.augmentation((0, 30), True),
        a.brightness.augmentation(**factor),
        a.contrast.augmentation(**factor),
        a.color.augmentation(**factor),
        a.sharpness.augmentation(**{**factor, "mag_to_param": a.sharpness_kernel_shifted}),
        a.posterize.augmentation((0, 4), False, a.poster_mask_uint8),
        a.solarize.augmentation((0, 256)),
        a.solarize_add.augmentation((0, 110)),
        a.invert,
        a.equalize,
        a.auto_contrast,
    ]
    by_name = {one.name: one for one in several}
    return Policy(name, _BINS, [[(by_name[one], p, mag) for one, p, mag in steps] for steps in sub_policies])


def _moved(use_shape: bool, max_translate_abs: Any, max_translate_rel: Any) -> list[Augmentation]:
    return translations(use_shape, 250, 1.0, max_translate_abs, max_translate_rel)


def get_image_net_policy(
    use_shape: bool = False, max_translate_abs: Any = None, max_translate_rel: Any = None
) -> Policy:
    """The policy for ImageNet. Arguments as of `auto_augment`; `use_shape`: `shape` is given."""
    return _policy("ImageNetPolicy", _IMAGE_NET, _moved(use_shape, max_translate_abs, max_translate_rel))


def get_reduced_cifar10_policy(
    use_shape: bool = False, max_translate_abs: Any = None, max_translate_rel: Any = None
) -> Policy:
    """The policy for a part of CIFAR-10. Arguments as of `auto_augment`; `use_shape`: `shape` is given."""
    return _policy("ReducedCifar10Policy", _REDUCED_CIFAR10, _moved(use_shape, max_translate_abs, max_translate_rel))


def get_svhn_policy(use_shape: bool = False, max_translate_abs: Any = None, max_translate_rel: Any = None) -> Policy:
    """The policy for SVHN. Arguments as of `auto_augment`; `use_shape`: `shape` is given."""
    return _policy("SvhnPolicy", _SVHN, _moved(use_shape, max_translate_abs, max_translate_rel))


def get_reduced_image_net_policy() -> Policy:
    """The policy for a part of ImageNet, which has no translations."""
    return _policy("ReducedImageNetPolicy", _REDUCED_IMAGE_NET, [])
