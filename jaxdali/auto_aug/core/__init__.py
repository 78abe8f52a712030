"""The building blocks of automatic augmentation."""

from jaxdali._dali.auto_aug.core.augmentation import Augmentation as Augmentation
from jaxdali._dali.auto_aug.core.augmentation import augmentation as augmentation
from jaxdali._dali.auto_aug.core.magnitudes import SignedBin as SignedBin
from jaxdali._dali.auto_aug.core.magnitudes import signed_bin as signed_bin
from jaxdali._dali.auto_aug.core.policy import Policy as Policy
from jaxdali._dali.auto_aug.core.selection import select as select

__all__ = ["Augmentation", "Policy", "SignedBin", "augmentation", "select", "signed_bin"]


def __dir__() -> list[str]:
    return __all__
