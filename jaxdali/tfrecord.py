"""Declares the features of TFRecord files for `fn.readers.tfrecord`; DALI's `nvidia.dali.tfrecord`."""

from .records.features import FLOAT32 as float32
from .records.features import INT64 as int64
from .records.features import STRING as string
from .records.features import Feature as Feature
from .records.features import FixedLenFeature as FixedLenFeature
from .records.features import VarLenFeature as VarLenFeature

__all__ = ["Feature", "FixedLenFeature", "VarLenFeature", "float32", "int64", "string"]


def __dir__() -> list[str]:
    return __all__
