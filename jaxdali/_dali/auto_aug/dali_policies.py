"""The policies from the paper of AutoAugment (arXiv:1805.09501), with 11 bins of magnitudes."""

from __future__ import annotations

from jaxdali._device.augment.policies import BINS, IMAGE_NET, REDUCED_CIFAR10, REDUCED_IMAGE_NET, SVHN, Steps
from . import augmentations as a
from .core.augmentation import Augmentation
from .core.policy import Policy
from .rand_augment import by_plain_factors
from .translations import translations

__all__ = [
    "get_image_net_policy",
    "get_reduced_cifar10_policy",
    "get_reduced_image_net_policy",
    "get_svhn_policy",
]


def _policy(name: str, sub_policies: tuple[Steps, ...], moved: list[Augmentation]) -> Policy:
    several = [
        *moved,
        a.shear_x.augmentation((0, 0.3), True),
        a.shear_y.augmentation((0, 0.3), True),
        a.rotate.augmentation((0, 30), True),
        *by_plain_factors(),
        a.posterize.augmentation((0, 4), False, a.poster_mask_uint8),
        a.solarize.augmentation((0, 256)),
        a.solarize_add.augmentation((0, 110)),
        a.invert,
        a.equalize,
        a.auto_contrast,
    ]
    by_name = {one.name: one for one in several}
    return Policy(name, BINS, [[(by_name[one], p, mag) for one, p, mag in steps] for steps in sub_policies])


def _moved(use_shape: bool, max_translate_abs: object, max_translate_rel: object) -> list[Augmentation]:
    return translations(use_shape, 250, 1.0, max_translate_abs, max_translate_rel)


def get_image_net_policy(
    use_shape: bool = False, max_translate_abs: object = None, max_translate_rel: object = None
) -> Policy:
    """Returns the policy for ImageNet. Arguments as in `auto_augment`; `use_shape` says that `shape` is given."""
    return _policy("ImageNetPolicy", IMAGE_NET, _moved(use_shape, max_translate_abs, max_translate_rel))


def get_reduced_cifar10_policy(
    use_shape: bool = False, max_translate_abs: object = None, max_translate_rel: object = None
) -> Policy:
    """Returns the policy for a part of CIFAR-10. Arguments as in `auto_augment`; `use_shape` says that `shape` is
    given.
    """
    return _policy("ReducedCifar10Policy", REDUCED_CIFAR10, _moved(use_shape, max_translate_abs, max_translate_rel))


def get_svhn_policy(
    use_shape: bool = False, max_translate_abs: object = None, max_translate_rel: object = None
) -> Policy:
    """Returns the policy for SVHN. Arguments as in `auto_augment`; `use_shape` says that `shape` is given."""
    return _policy("SvhnPolicy", SVHN, _moved(use_shape, max_translate_abs, max_translate_rel))


def get_reduced_image_net_policy() -> Policy:
    """Returns the policy for a part of ImageNet, which has no translations."""
    return _policy("ReducedImageNetPolicy", REDUCED_IMAGE_NET, [])
