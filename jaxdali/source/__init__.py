"""Where samples come from: what users hand in, and how it is called."""

from .arrays import Arrays as Arrays
from .buckets import BucketSampler as BucketSampler
from .coco import COCO as COCO
from .folder import ImageFolder as ImageFolder
from .frames import FrameClips as FrameClips
from .lmdb import Caffe as Caffe
from .lmdb import Caffe2 as Caffe2
from .nemo import NemoASR as NemoASR
from .numpy_files import NumpyFiles as NumpyFiles
from .pack import pack as pack
from .recordio import RecordIO as RecordIO
from .sampler import SequentialSampler as SequentialSampler
from .sampler import ShardSampler as ShardSampler
from .sampler import ShuffleSampler as ShuffleSampler
from .stream import Iterable as Iterable
from .tfrecord import TFRecords as TFRecords
from .video import VideoClips as VideoClips
from .views import concat as concat
from .views import filter as filter
from .views import map as map
from .views import mix as mix
from .views import repeat as repeat
from .views import subset as subset
from .webdataset import WebDataset as WebDataset
from .weighted import WeightedSampler as WeightedSampler

__all__ = [
    "COCO",
    "Arrays",
    "BucketSampler",
    "Caffe",
    "Caffe2",
    "FrameClips",
    "ImageFolder",
    "Iterable",
    "NemoASR",
    "NumpyFiles",
    "RecordIO",
    "SequentialSampler",
    "ShardSampler",
    "ShuffleSampler",
    "TFRecords",
    "VideoClips",
    "WebDataset",
    "WeightedSampler",
    "concat",
    "filter",
    "map",
    "mix",
    "pack",
    "repeat",
    "subset",
]


def __dir__() -> list[str]:
    return __all__
