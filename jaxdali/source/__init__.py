"""Where samples come from: what users hand in, and how it is called."""

from .arrays import Arrays as Arrays
from .folder import ImageFolder as ImageFolder
from .sampler import SequentialSampler as SequentialSampler
from .sampler import ShardSampler as ShardSampler
from .sampler import ShuffleSampler as ShuffleSampler

__all__ = ["Arrays", "ImageFolder", "SequentialSampler", "ShardSampler", "ShuffleSampler"]


def __dir__() -> list[str]:
    return __all__
