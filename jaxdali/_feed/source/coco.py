"""Images with annotations in COCO's format, as a map-style source."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, SourceDataError
from .. import _host
from ..records.coco_annotations import CocoTable, Wanted, read_annotations
from ..records.masks import mask_of_polygon, mask_of_runs
from ..storage.cache import make_cache
from ..storage.read_ahead import Ahead
from ..storage.urls import absolute, is_remote, joined
from .file_format import FileFormat
from .record_source import Fetched
from .whole_files import WholeFiles

__all__ = ["COCO"]

Path = str | os.PathLike[str]
MASKS = ("polygons", "pixels")


class COCO(Fetched):
    """Images and their objects: `data[i]` is `{"image": bytes, "boxes": float32[n, 4], "labels": int32[n]}`, plus the
    extras that you ask for: `"polygons": int32[p, 3]` (object, first vertex, last vertex, exclusive) with
    `"vertices": float32[v, 2]`; or `"mask": int32[height, width, 1]`, each pixel's label (0 for none; the largest where
    objects overlap); and `"image_id": int32[1]`. An object without a segmentation has no polygon, and no pixels. Nothing
    else is read, such as keypoints, areas and names of categories.

    A warning of the logger "jaxdali" counts annotations of images that the file does not list.

    Args:
        file_root: the folder or URL of the image files.
        annotations: the path or URL of a JSON file in COCO's format, or a table made from one.
        masks: "polygons", "pixels", or None for no masks.
        image_ids: whether samples have an "image_id".
        wanted: which objects count, and how boxes are written: `ltrb` (left, top, right, bottom; otherwise x, y, width,
            height), `ratio` (relative to the image), `size_threshold`, `skip_empty`, `include_iscrowd`,
            `avoid_class_remapping` (labels are category ids; otherwise 1, 2, ... in the order of the file), `images`
            (file names).
        cache_dir, cache_bytes: a folder that caches data read from URLs, and its limit in bytes (16 GiB by default).
            All processes that name the same folder share it.

    Raises:
        ConfigError: `annotations` is not in COCO's format, or no image counts.
        OSError: the annotations cannot be read. `data[i]` raises it if an image cannot be read.
    """

    _format = FileFormat("COCO")
    # Each sample is a file of its own.
    bounds = None

    def __init__(
        self,
        file_root: Path,
        annotations: Path | CocoTable,
        masks: str | None = None,
        image_ids: bool = False,
        *,
        cache_dir: Path | None = None,
        cache_bytes: int | None = None,
        **wanted: Any,
    ):
        if masks is not None and masks not in MASKS:
            raise ConfigError(f'masks must be None, "polygons" or "pixels", got {masks!r:.80}')
        if isinstance(annotations, CocoTable):
            table = annotations
        else:
            try:
                what = Wanted(masks=masks, **wanted)
            except TypeError as error:
                raise ConfigError(f"COCO: {error}") from None
            table = read_annotations(absolute(annotations), what)
        self.root, self.table, self.masks, self.image_ids = absolute(file_root), table, masks, bool(image_ids)
        self._files = WholeFiles(self.source_info, is_remote(self.root), make_cache(cache_dir, cache_bytes))

    def _paths_shown(self) -> Sequence[str]:
        return [self.root]

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, index: int) -> dict[str, Any]:
        if not 0 <= index < len(self):
            raise IndexError(f"index {index} of {len(self)} images")
        names = ["boxes", "labels"]
        names += {"polygons": ["polygons", "vertices"], "pixels": ["mask"]}.get(self.masks or "", [])
        names += ["image_id"] if self.image_ids else []
        try:
            objects = self._objects(index)
        except SourceDataError as error:
            raise SourceDataError(f"{self.source_info(index)}: {error}") from None
        return {"image": self._files.read(index), **dict(zip(names, objects, strict=True))}

    def row(self, index: int) -> tuple[Any, ...]:
        """Returns a reader's outputs for image `index`: its file, which the ring itself reads, and its objects."""
        if self._files.remote:
            return np.frombuffer(self._files.read(index), np.uint8), *self._objects(index)
        return _host.FileSample(os.fsencode(self.source_info(index))), *self._objects(index)

    def ahead(self) -> Ahead | None:
        return self._files.ahead()

    def direct(self) -> None:
        """Returns None: native code writes a `_host.FileSample` anyway."""
        return None

    def _objects(self, index: int) -> list[np.ndarray]:
        table = self.table
        mine = slice(table.objects[index], table.objects[index + 1])
        found = [table.boxes[mine], table.labels[mine]]
        if self.masks == "polygons":
            found.append(table.polygons[table.parts[index] : table.parts[index + 1]])
            found.append(table.vertices[table.corners[index] : table.corners[index + 1]])
        elif self.masks == "pixels":
            found.append(self._mask(index)[:, :, None])
        if self.image_ids:
            found.append(table.ids[index : index + 1])
        return found

    def _mask(self, index: int) -> np.ndarray:
        table = self.table
        height, width = table.sizes[index].tolist()
        if height * width > 1 << 28:
            raise SourceDataError(
                f"the mask of an image of {height} x {width} pixels is too large; at most 2**28 are drawn"
            )
        labels = table.labels[table.objects[index] : table.objects[index + 1]]
        vertices = table.vertices[table.corners[index] : table.corners[index + 1]]
        found = np.zeros((height, width), np.int32)
        for number, start, stop in table.polygons[table.parts[index] : table.parts[index + 1]].tolist():
            self._draw(found, mask_of_polygon(vertices[start:stop], height, width), int(labels[number]))
        for code in range(table.coded[index], table.coded[index + 1]):
            number, *size = table.codes[code].tolist()
            if size != [height, width]:
                raise SourceDataError(f"a mask has {size[0]} x {size[1]} pixels, but its image {height} x {width}")
            runs = table.runs[table.ends[code] : table.ends[code + 1]]
            self._draw(found, mask_of_runs(runs, height, width), int(labels[number]))
        return found

    @staticmethod
    def _draw(found: np.ndarray, mask: np.ndarray, label: int) -> None:
        np.maximum(found, np.int32(label), out=found, where=mask)

    def source_info(self, index: int) -> str:
        """Returns the path of image `index`."""
        return joined(self.root, self.table.files[index])

    def digest(self) -> str:
        """Returns a hash of what is read."""
        text = f"{self.root} {self.table.digest()} {self.masks} {self.image_ids}"
        return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()
