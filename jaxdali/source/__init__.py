"""The data that users hand in, and how samples are taken from them."""

from typing import NoReturn

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
from .parquet import Parquet as Parquet
from .recordio import RecordIO as RecordIO
from .row_groups import RowGroupSampler as RowGroupSampler
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
    "Parquet",
    "RecordIO",
    "RowGroupSampler",
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

# Names that other libraries have, and what to use here instead.
_ELSEWHERE = {
    "shuffle": "Loader(..., shuffle=True) permutes each epoch as a whole",
    "batch": "Loader(..., batch_size=) makes batches",
    "prefetch": "a Loader reads ahead, see its prefetch= and workers=",
    "shard": "Loader(..., sharding=) has each process read its own samples",
    "zip": "arrays go together as Arrays(x=X, y=Y), other data by a class with __len__ and __getitem__",
    "flat_map": "to make several samples of one, use Iterable with a generator function",
    "window": "windows come from a class with __len__ and __getitem__",
    "interleave": "mix(ours, theirs, weights=) does that",
    "choose": "subset(data, indices) does that",
    "cache": "keep what is slow to read in a class with __len__ and __getitem__, or in Arrays",
}


def __getattr__(name: str) -> NoReturn:
    said = f": {_ELSEWHERE[name]}" if name in _ELSEWHERE else ""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{said}")


def __dir__() -> list[str]:
    return __all__
