"""Databases of Caffe and Caffe2 as map-style sources."""

from __future__ import annotations

import hashlib
import os
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, SourceDataError, check_integer
from .. import _host
from ..records.caffe import LABELS, NONE, SINGLE, SPARSE, WEIGHTED, parse_datum, parse_tensors
from ..records.lmdb_pages import index_lmdb
from ..records.record_files import Records
from ..storage.cache import Cache, make_cache
from ..storage.urls import is_remote
from .direct import Direct, Own
from .file_format import FileFormat
from .file_reading import Path, Paths, absolute_paths
from .record_source import OfRecords

__all__ = ["Caffe", "Caffe2"]


class _Lmdb(OfRecords):
    """The values of LMDB databases, in the order of their keys."""

    _format = FileFormat("LMDB", r"\.mdb$")

    def __init__(self, path: Paths, cache: Cache | None):
        files = [os.path.join(one, "data.mdb") if _is_folder(one) else one for one in absolute_paths(path)]
        self.records = Records(files, [index_lmdb(file) for file in files], cache)
        self._direct = Own[Direct]()

    @property
    def names(self) -> list[str]:
        """The keys of `data[i]`."""
        raise NotImplementedError

    def row(self, index: int) -> tuple[np.ndarray, ...]:
        """Returns a reader's outputs for value `index`: an array for each of the names."""
        raise NotImplementedError

    def __getitem__(self, index: int) -> dict[str, Any]:
        try:
            row = self.row(index)
        except SourceDataError as error:
            raise SourceDataError(f"{self.source_info(index)}: {error}") from None
        found: dict[str, Any] = dict(zip(self.names, row, strict=True))
        if "image" in found and found["image"].ndim == 1:
            found["image"] = found["image"].tobytes()
        return found

    def digest(self) -> str:
        """Returns a hash of what is read."""
        wanted = {name: value for name, value in vars(self).items() if name not in ("records", "_direct")}
        return hashlib.sha256(f"{self.records.digest()} {sorted(wanted.items())}".encode()).hexdigest()


def _is_folder(path: str) -> bool:
    return not path.endswith(".mdb") if is_remote(path) else os.path.isdir(path)


class Caffe(_Lmdb):
    """The images and labels of Caffe's databases: `data[i]` is `{"image": bytes, "label": int32[1]}`. The image of a
    Datum that holds pixels is `uint8[height, width, channels]`.

    Args:
        path: the databases: folders with a data.mdb, such files themselves, or URLs of either (those of files end with
            .mdb). They need no library, and no other process may write to them meanwhile.
        image, label: whether samples have an image, and a label.
        cache_dir, cache_bytes: a folder that caches data read from URLs, and its limit in bytes (16 GiB by default).
            All processes that name the same folder share it.

    Attributes:
        records: where each record lies.

    Raises:
        ConfigError: both `image` and `label` are False, or a file is not a database, or is damaged.
        OSError: a file cannot be read. `data[i]` raises it, too, and SourceDataError if a value is not a Datum.
    """

    def __init__(
        self,
        path: Paths,
        image: bool = True,
        label: bool = True,
        *,
        cache_dir: Path | None = None,
        cache_bytes: int | None = None,
    ):
        if not image and not label:
            raise ConfigError("neither images nor labels were asked for; expected at least one of them")
        super().__init__(path, make_cache(cache_dir, cache_bytes))
        self.image, self.label = bool(image), bool(label)

    @property
    def names(self) -> list[str]:
        """The keys of `data[i]`."""
        return ["image"] * self.image + ["label"] * self.label

    def row(self, index: int) -> tuple[np.ndarray, ...]:
        """Returns a reader's outputs for value `index`."""
        image, label = parse_datum(self.records.read(index), self.image)
        return (image,) * self.image + (label,) * self.label

    def direct(self) -> Direct | None:
        """Returns a native function that writes values into slots, for readers."""
        if self.records.remote:
            return None
        return self._direct.of(lambda: _host.DatumRows(*self.records.where, self.image, self.label).write)


class Caffe2(_Lmdb):
    """The images of Caffe2's databases, and the tensors stored with them: `data[i]` is a dictionary with "image" as in
    `Caffe`, "label", "input_0", "input_1", ... and "box".

    Args:
        path: the databases, as in `Caffe`.
        image: whether records have an image.
        label_type: 0: one number, int32[1] or float32[1]; 1: indices, which become int32[num_labels], 1 at each of
            them; 2: any numbers; 3: indices and weights, which become float32[num_labels]; 4: no label.
        num_labels: the number of classes, for indices.
        additional_inputs: how many more tensors follow the label: int32[n] or float32[n].
        bbox: whether a box follows them, int32[4].
        cache_dir, cache_bytes: a folder that caches data read from URLs, and its limit in bytes (16 GiB by default).
            All processes that name the same folder share it.

    Attributes:
        records: where each record lies.

    Raises:
        ConfigError: an argument is out of range, or a file is not a database, or is damaged.
        OSError: a file cannot be read. `data[i]` raises it, too, and SourceDataError if a value is not such a record.
    """

    def __init__(
        self,
        path: Paths,
        image: bool = True,
        label_type: int = 0,
        num_labels: int = 1,
        additional_inputs: int = 0,
        bbox: bool = False,
        *,
        cache_dir: Path | None = None,
        cache_bytes: int | None = None,
    ):
        self.label_type = check_integer("label_type", label_type, LABELS[0], LABELS[-1])
        self.num_labels = check_integer("num_labels", num_labels, 1, 1 << 24)
        self.additional_inputs = check_integer("additional_inputs", additional_inputs, 0, 64)
        self.image, self.bbox = bool(image), bool(bbox)
        if not self.names:
            raise ConfigError("no image, label, additional input or box was asked for; expected at least one of them")
        super().__init__(path, make_cache(cache_dir, cache_bytes))

    @property
    def names(self) -> list[str]:
        """The keys of `data[i]`."""
        inputs = [f"input_{k}" for k in range(self.additional_inputs)]
        return ["image"] * self.image + ["label"] * (self.label_type != LABELS[-1]) + inputs + ["box"] * self.bbox

    def row(self, index: int) -> tuple[np.ndarray, ...]:
        """Returns a reader's outputs for value `index`."""
        wanted = (self.image, self.label_type, self.num_labels, self.additional_inputs, self.bbox)
        return parse_tensors(self.records.read(index), *wanted)

    def direct(self) -> Direct | None:
        """Returns a native function that writes values into slots, or None if it cannot, as for labels that are indices."""
        if self.records.remote or self.bbox or self.label_type in (SPARSE, WEIGHTED):
            return None
        numbers = self.additional_inputs + (self.label_type != NONE)
        one = self.label_type == SINGLE
        return self._direct.of(lambda: _host.TensorsRows(*self.records.where, self.image, numbers, one).write)
