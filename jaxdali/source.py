"""The data that users hand in, and how samples are taken from them."""

from typing import NoReturn

from jaxdali._feed.source.arrays import Arrays as Arrays
from jaxdali._feed.source.buckets import BucketSampler as BucketSampler
from jaxdali._feed.source.coco import COCO as COCO
from jaxdali._feed.source.folder import ImageFolder as ImageFolder
from jaxdali._feed.source.frame_clips import FrameClips as FrameClips
from jaxdali._feed.source.group_sampler import GroupSampler as GroupSampler
from jaxdali._feed.source.lmdb import Caffe as Caffe
from jaxdali._feed.source.lmdb import Caffe2 as Caffe2
from jaxdali._feed.source.mixture import mix as mix
from jaxdali._feed.source.nemo import NemoASR as NemoASR
from jaxdali._feed.source.numpy_files import NumpyFiles as NumpyFiles
from jaxdali._feed.source.pack import pack as pack
from jaxdali._feed.source.parquet import Parquet as Parquet
from jaxdali._feed.source.recordio import RecordIO as RecordIO
from jaxdali._feed.source.row_groups import RowGroupSampler as RowGroupSampler
from jaxdali._feed.source.sampler import SequentialSampler as SequentialSampler
from jaxdali._feed.source.sampler import ShardSampler as ShardSampler
from jaxdali._feed.source.sampler import ShuffleSampler as ShuffleSampler
from jaxdali._feed.source.stream import Iterable as Iterable
from jaxdali._feed.source.tfrecord import TFRecords as TFRecords
from jaxdali._feed.source.video import FileOfClips as FileOfClips
from jaxdali._feed.source.video import VideoClips as VideoClips
from jaxdali._feed.source.views import concat as concat
from jaxdali._feed.source.views import filter as filter
from jaxdali._feed.source.views import map as map
from jaxdali._feed.source.views import repeat as repeat
from jaxdali._feed.source.views import subset as subset
from jaxdali._feed.source.webdataset import WebDataset as WebDataset
from jaxdali._feed.source.weighted import WeightedSampler as WeightedSampler

__all__ = [
    "COCO",
    "Arrays",
    "BucketSampler",
    "Caffe",
    "Caffe2",
    "FileOfClips",
    "FrameClips",
    "GroupSampler",
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
