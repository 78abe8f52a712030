"""The inputs of `view` and `bench`: images of a folder, or records of shards in any format."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from jaxdali._base.aliases import Sample
from jaxdali.errors import ConfigError

__all__ = ["Content", "Data", "Indexed", "size_of_files"]

# The limit on files whose sizes are requested.
_ASKED = 256


class Data(Protocol):
    """A map-style source."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Sample: ...
    def source_info(self, index: int, /) -> str: ...


class Indexed(Protocol):
    """What `view` shows: image files and their names."""

    def __len__(self) -> int: ...
    def read(self, index: int, /) -> bytes | None: ...
    def name(self, index: int, /) -> str: ...


@dataclasses.dataclass(frozen=True)
class Content:
    """Samples that were named on the command line.

    Attributes:
        kind: the format or container, such as "TFRecord".
        unit: what is counted, such as "images".
        paths: the files that hold the samples; the folder itself if each sample is a file in it.
        nodes: called inside a pipeline's definition with a reader's name; returns the outputs of the reader. The first
            one is what is shown.
        count: the number of samples where no reader reads them; None if the reader knows it.
        encoded: whether the first output is an image file, to be decoded; else it is used as it is.
        data: opens the samples as a map-style source.
        shown: returns the image of a sample, as a file or as an array; None: the sample has no image.
        bytes_of: returns the bytes of all samples together.
        batch_size: a suitable one; None if any will do.
        is_folder: whether `paths` is one folder.
        why: the reason why there is nothing to show; None if there is something.
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
        """Returns what `view` shows.

        Raises:
            ConfigError: samples have no images.
        """
        if self.why is not None:
            raise ConfigError(self.why)
        return Pictures(self)


class Pictures:
    """The images of samples as files; arrays are written as PNG."""

    def __init__(self, content: Content):
        self._data, self._shown, self._root = content.data(), content.shown, _folder_of(content)

    def __len__(self) -> int:
        return len(self._data)

    def read(self, index: int) -> bytes | None:
        """Returns the file of sample `index`; None if the sample has no image."""
        found = self._shown(self._data[index])
        if isinstance(found, bytes) or found is None:
            return found
        from jaxdali._base.pictures import png_of

        return png_of(found)

    def name(self, index: int) -> str:
        """Returns where sample `index` is: its file, relative to the common folder, and its position there."""
        return self._data.source_info(index).removeprefix(self._root)


def _folder_of(content: Content) -> str:
    """Returns the common folder of all files, with a slash."""
    if content.is_folder:
        return content.paths[0].rstrip("/") + "/"
    folders = [path[: path.rfind("/") + 1] for path in content.paths]
    return os.path.commonprefix(folders).rpartition("/")[0] + "/"  # noqa: RUF071 - folders may be URLs


def size_of_files(paths: Sequence[str]) -> int:
    """Returns the bytes of files or objects together, estimated from at most 256 of them.

    Raises:
        OSError: one does not exist.
    """
    from jaxdali._feed.storage.remote_objects import stat_objects
    from jaxdali._feed.storage.urls import is_remote

    step = -(-len(paths) // _ASKED)
    asked = list(paths[::step])
    remote = [path for path in asked if is_remote(path)]
    sizes = [size for size, _ in stat_objects(remote)] + [
        os.stat(path).st_size for path in asked if not is_remote(path)
    ]
    return sum(sizes) * len(paths) // len(asked)
