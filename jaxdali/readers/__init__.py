"""Sources with a reader's arguments: an endless stream of samples that is cut into shards."""

from .indexed import Indexed as Indexed
from .indexed import IndexedReader as IndexedReader
from .listing import LabelledFiles as LabelledFiles
from .stream import ReaderMeta as ReaderMeta
from .stream import ShardStream as ShardStream

__all__ = ["Indexed", "IndexedReader", "LabelledFiles", "ReaderMeta", "ShardStream"]
