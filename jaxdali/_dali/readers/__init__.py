"""Sources with a reader's arguments: an endless order of samples that is divided into shards."""

from .indexed import Indexed as Indexed
from .indexed import IndexedReader as IndexedReader
from .listing import LabelledFiles as LabelledFiles
from .shard_order import ReaderMeta as ReaderMeta
from .shard_order import ShardOrder as ShardOrder

__all__ = ["Indexed", "IndexedReader", "LabelledFiles", "ReaderMeta", "ShardOrder"]
