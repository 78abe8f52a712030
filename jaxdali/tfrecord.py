"""Declares the features of TFRecord files for `fn.readers.tfrecord`; DALI's `nvidia.dali.tfrecord`."""

from jaxdali._feed.records.features import FLOAT32 as float32
from jaxdali._feed.records.features import INT64 as int64
from jaxdali._feed.records.features import STRING as string
from jaxdali._feed.records.features import Feature as Feature
from jaxdali._feed.records.features import FixedLenFeature as FixedLenFeature
from jaxdali._feed.records.features import VarLenFeature as VarLenFeature

__all__ = ["Feature", "FixedLenFeature", "VarLenFeature", "float32", "int64", "string"]


def __dir__() -> list[str]:
    return __all__
