"""Sources with a reader's arguments: an endless stream of samples that is cut into shards."""

from .file import FileReader as FileReader
from .listing import LabelledFiles as LabelledFiles
from .stream import ReaderMeta as ReaderMeta
from .stream import ShardStream as ShardStream

__all__ = ["FileReader", "LabelledFiles", "ReaderMeta", "ShardStream"]
