"""Reads bytes of remote objects that fsspec knows, by their URLs. Nothing here knows what is in them."""

from .cache import ByteRange as ByteRange
from .cache import Cache as Cache
from .cache import make_cache as make_cache
from .read_ahead import Ahead as Ahead
from .remote_file import RemoteFile as RemoteFile
from .remote_objects import fetch as fetch
from .remote_objects import fetch_all as fetch_all
from .remote_objects import list_folders as list_folders
from .remote_objects import stat_objects as stat_objects
from .urls import absolute as absolute
from .urls import is_remote as is_remote
from .urls import joined as joined
from .urls import joined_all as joined_all

__all__ = [
    "Ahead",
    "ByteRange",
    "Cache",
    "RemoteFile",
    "absolute",
    "fetch",
    "fetch_all",
    "is_remote",
    "joined",
    "joined_all",
    "list_folders",
    "make_cache",
    "stat_objects",
]
