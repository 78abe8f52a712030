"""AutoAugment: draws one of several sub-policies for each image, and does each of its steps with a probability."""

from jaxdali._dali.auto_aug.auto_augment import apply_auto_augment as apply_auto_augment
from jaxdali._dali.auto_aug.auto_augment import auto_augment as auto_augment
from jaxdali._dali.auto_aug.auto_augment import auto_augment_image_net as auto_augment_image_net
from jaxdali._dali.auto_aug.dali_policies import get_image_net_policy as get_image_net_policy
from jaxdali._dali.auto_aug.dali_policies import get_reduced_cifar10_policy as get_reduced_cifar10_policy
from jaxdali._dali.auto_aug.dali_policies import get_reduced_image_net_policy as get_reduced_image_net_policy
from jaxdali._dali.auto_aug.dali_policies import get_svhn_policy as get_svhn_policy

__all__ = [
    "apply_auto_augment",
    "auto_augment",
    "auto_augment_image_net",
    "get_image_net_policy",
    "get_reduced_cifar10_policy",
    "get_reduced_image_net_policy",
    "get_svhn_policy",
]


def __dir__() -> list[str]:
    return __all__
