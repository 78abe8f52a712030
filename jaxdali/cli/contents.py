"""What `view` and `bench` are given: images of a folder, or records of shards, whatever their format."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ..aliases import Sample
from ..errors import ConfigError

__all__ = ["Content", "Data", "Indexed", "size_of_files"]

# Whose sizes are asked for, where a sample is a file.
_ASKED = 256


class Data(Protocol):
    """A map-style source."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Sample: ...
    def source_info(self, index: int, /) -> str: ...


class Indexed(Protocol):
    """What `view` shows: files of images, and what they are called."""

    def __len__(self) -> int: ...
    def read(self, index: int, /) -> bytes: ...
    def name(self, index: int, /) -> str: ...


@dataclasses.dataclass(frozen=True)
class Content:
    """Samples that were named on the command line.

    Attributes:
        kind: of what they are in, such as "TFRecord".
        unit: what is counted, such as "images".
        paths: of the files that hold them; of a folder with a file a sample its own.
        nodes: within a pipeline's definition, of a reader of that name: what is read of a sample, and first what is shown.
        count: of samples, where what reads them is no reader; None: the reader says it.
        encoded: whether that is a file of an image, which is decoded; else it is as it is.
        data: the samples, for those who want them one by one.
        shown: of a sample its image, as a file or as an array.
        bytes_of: how many bytes all samples have together.
        batch_size: that suits them; None: any.
        is_folder: whether `paths` is one folder.
        why: there is nothing to be seen; None: there is.
    """

    kind: str
    unit: str
    paths: Sequence[str]
    nodes: Callable[[str], Sequence[Any]]
    encoded: bool
    data: Callable[[], Data]
    shown: Callable[[Any], Any]
    bytes_of: Callable[[], int]
    count: int | None = None
    batch_size: int | None = None
    is_folder: bool = False
    why: str | None = None

    def pictures(self) -> Pictures:
        """What `view` shows.

        Raises:
            ConfigError: no sample has an image.
        """
        if self.why is not None:
            raise ConfigError(self.why)
        return Pictures(self)


class Pictures:
    """The images of samples as files: those that are none are written as PNG."""

    def __init__(self, content: Content):
        self._data, self._shown, self._root = content.data(), content.shown, _folder_of(content)

    def __len__(self) -> int:
        return len(self._data)

    def read(self, index: int) -> bytes:
        """The file of sample `index`."""
        found = self._shown(self._data[index])
        if isinstance(found, bytes):
            return found
        from .pixels import png_of

        return png_of(found)

    def name(self, index: int) -> str:
        """Where sample `index` is: its file, below the folder of all, and its place there."""
        return self._data.source_info(index).removeprefix(self._root)


def _folder_of(content: Content) -> str:
    """The folder that all files are in, with a slash."""
    if content.is_folder:
        return content.paths[0].rstrip("/") + "/"
    folders = [path[: path.rfind("/") + 1] for path in content.paths]
    return os.path.commonprefix(folders).rpartition("/")[0] + "/"  # noqa: RUF071 - folders may be URLs


def size_of_files(paths: Sequence[str]) -> int:
    """Bytes of files or objects together; of more than 256 as they are in 256 of them.

    Raises:
        OSError: one is not there.
    """
    from ..storage import is_remote, stat_objects

    step = -(-len(paths) // _ASKED)
    asked = list(paths[::step])
    remote = [path for path in asked if is_remote(path)]
    sizes = [size for size, _ in stat_objects(remote)] + [
        os.stat(path).st_size for path in asked if not is_remote(path)
    ]
    return sum(sizes) * len(paths) // len(asked)
