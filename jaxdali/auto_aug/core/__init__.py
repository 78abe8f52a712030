"""The building blocks of automatic augmentation."""

from .augmentation import Augmentation as Augmentation
from .augmentation import augmentation as augmentation
from .magnitudes import SignedBin as SignedBin
from .magnitudes import signed_bin as signed_bin
from .policy import Policy as Policy
from .selection import select as select

__all__ = ["Augmentation", "Policy", "SignedBin", "augmentation", "select", "signed_bin"]
