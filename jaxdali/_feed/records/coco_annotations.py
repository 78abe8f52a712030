"""Reads annotations in COCO's format: the objects in the images of a dataset."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError
from .masks import decoded_runs
from .safe_open import is_path, open_checked, read_all

__all__ = ["CocoTable", "Wanted", "read_annotations"]

logger = logging.getLogger("jaxdali")

_LARGEST_FLOAT = float(np.finfo(np.float32).max)


@dataclasses.dataclass(frozen=True)
class Wanted:
    """What to read from annotations: DALI's arguments of the same names, and `masks`: "polygons", "pixels" or None."""

    ltrb: bool = False
    ratio: bool = False
    size_threshold: float = 0.1
    skip_empty: bool = False
    include_iscrowd: bool = True
    avoid_class_remapping: bool = False
    masks: str | None = None
    images: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class CocoTable:
    """The objects of N images, as arrays, which workers can share.

    Attributes:
        files: paths as the annotations have them.
        ids: `int32[N]`.
        sizes: height and width, `int32[N, 2]`.
        objects: `int64[N + 1]`: image i has objects `objects[i]` to `objects[i + 1]`; the other bounds work likewise.
        boxes: `float32[objects, 4]`.
        labels: `int32[objects]`.
        parts: bounds of `polygons`, `int32[P, 3]`: the object of each polygon, and its first and last (exclusive) vertex,
            all counted within the image.
        corners: bounds of `vertices`, `float32[V, 2]`: x, y.
        coded: bounds of `codes`, `int32[R, 3]`: the object, height and width of each mask in runs; and of `ends`, the
            bounds of `runs`, `uint32[...]`.
    """

    files: list[str]
    ids: np.ndarray
    sizes: np.ndarray
    objects: np.ndarray
    boxes: np.ndarray
    labels: np.ndarray
    parts: np.ndarray
    polygons: np.ndarray
    corners: np.ndarray
    vertices: np.ndarray
    coded: np.ndarray
    codes: np.ndarray
    ends: np.ndarray
    runs: np.ndarray

    def __len__(self) -> int:
        return len(self.files)

    def digest(self) -> str:
        """Returns a hash that differs between tables."""
        found = hashlib.sha256("\0".join(self.files).encode(errors="surrogateescape"))
        for field in dataclasses.fields(self)[1:]:
            found.update(np.ascontiguousarray(getattr(self, field.name)).tobytes() + field.name.encode())
        return found.hexdigest()


class _Rows:
    """The arrays of a table while it is being built."""

    def __init__(self) -> None:
        self.files: list[str] = []
        self.ids: list[int] = []
        self.sizes: list[tuple[int, int]] = []
        self.bounds: list[tuple[int, int, int]] = [(0, 0, 0)]
        self.boxes: list[tuple[float, ...]] = []
        self.labels: list[int] = []
        self.polygons: list[tuple[int, int, int]] = []
        self.vertices: list[np.ndarray] = []
        self.codes: list[tuple[int, int, int]] = []
        self.runs: list[np.ndarray] = []

    def add_image(self, image: Mapping[str, Any]) -> None:
        self.files.append(image["file_name"])
        self.ids.append(image["id"])
        self.sizes.append((image["height"], image["width"]))
        self.bounds.append((len(self.boxes), len(self.polygons), len(self.codes)))

    def table(self) -> CocoTable:
        bounds = np.array(self.bounds, np.int64)
        corners = np.cumsum([0, *map(len, self.vertices)], dtype=np.int64)
        return CocoTable(
            files=self.files,
            ids=np.array(self.ids, np.int32),
            sizes=np.array(self.sizes, np.int32).reshape(-1, 2),
            objects=bounds[:, 0],
            boxes=np.array(self.boxes, np.float32).reshape(-1, 4),
            labels=np.array(self.labels, np.int32),
            parts=bounds[:, 1],
            polygons=np.array(self.polygons, np.int32).reshape(-1, 3),
            corners=corners,
            vertices=np.concatenate([np.zeros((0, 2), np.float32), *self.vertices]),
            coded=bounds[:, 2],
            codes=np.array(self.codes, np.int32).reshape(-1, 3),
            ends=np.cumsum([0, *map(len, self.runs)], dtype=np.int64),
            runs=np.concatenate([np.zeros(0, np.uint32), *self.runs]),
        )


def read_annotations(path: str, wanted: Wanted) -> CocoTable:
    """Returns the annotations of a file by image: of all images in the order of their ids, or of `wanted.images`.

    Raises:
        ConfigError: the file is not in COCO's format, or no image counts. Names the entry that is wrong.
        OSError: the file cannot be read.
    """
    images, annotations, categories = _read(path)
    labels = {category["id"]: number for number, category in enumerate(categories, 1)}
    of_image: dict[int, list[Mapping[str, Any]]] = {}
    for annotation in annotations:
        of_image.setdefault(annotation["image_id"], []).append(annotation)
    _warn_of_strays(path, images, of_image)
    rows = _Rows()
    for image in _chosen(path, images, wanted.images):
        mine = of_image.get(image["id"], [])
        objects = [one for one in mine if _counts(one, wanted)]
        if not objects and wanted.skip_empty:
            continue
        vertices: list[np.ndarray] = []
        for number, one in enumerate(objects):
            label = one["category_id"]
            if not wanted.avoid_class_remapping:
                if label not in labels:
                    raise ConfigError(
                        f"{path}: annotation {one.get('id')!r:.80} has the category {label}, which the file does not define"
                    )
                label = labels[label]
            rows.labels.append(label)
            rows.boxes.append(_box(one["bbox"], image, wanted))
            if wanted.masks:
                _add_mask(rows, vertices, number, one, path)
        points = np.concatenate([np.zeros((0, 2)), *vertices])
        # Masks are drawn in pixels, so `ratio` scales vertices only if samples get the polygons themselves.
        scale = (image["width"], image["height"]) if wanted.ratio and wanted.masks == "polygons" else (1, 1)
        rows.vertices.append((points.astype(np.float32) / np.array(scale, np.float32)).astype(np.float32))
        rows.add_image(image)
    if not rows.files:
        raise ConfigError(
            f"No files found: {path} has no image to read: the arguments leave out all of its {len(images)} images"
        )
    return rows.table()


def _warn_of_strays(
    path: str, images: Sequence[Mapping[str, object]], of_image: Mapping[int, Sequence[object]]
) -> None:
    """Logs a warning of annotations whose image the file does not list: nobody gets them."""
    listed = {image["id"] for image in images}
    strays = [number for number in of_image if number not in listed]
    if strays:
        logger.warning(
            "%s: %d annotations are of images that the file does not list, such as image_id %d, and are left out",
            path,
            sum(len(of_image[number]) for number in strays),
            strays[0],
        )


def _read(path: str) -> tuple[list[Any], list[Any], list[Any]]:
    with open_checked(path) as file:
        document = read_all(file)
        try:
            found = json.loads(document)
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{path} is not JSON ({error}); expected annotations in COCO's format") from None
    names = ("images", "annotations", "categories")
    lists = [found.get(name, []) for name in names] if isinstance(found, dict) else []
    if not lists or not all(isinstance(one, list) for one in lists):
        raise ConfigError(f"{path} has no lists of images, annotations and categories, which COCO's format has")
    images, annotations, categories = lists
    _check(path, "images", images, {"id": _is_int32, "file_name": _is_name, "width": _is_extent, "height": _is_extent})
    _check(path, "annotations", annotations, {"image_id": _is_int32, "category_id": _is_int32, "bbox": _is_box})
    _check(path, "categories", categories, {"id": _is_int32})
    return images, annotations, categories


def _check(path: str, name: str, entries: Sequence[Any], fields: Mapping[str, Any]) -> None:
    for number, entry in enumerate(entries):
        for field, is_right in fields.items():
            if not isinstance(entry, dict) or not is_right(entry.get(field)):
                got = entry.get(field, "none") if isinstance(entry, dict) else entry
                raise ConfigError(
                    f"{path}: {name}[{number}] has the {field} {got!r:.80}, which is not valid in COCO's format"
                )


def _is_int32(value: object) -> bool:
    return isinstance(value, int) and -(1 << 31) <= value < 1 << 31


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value) and is_path(value)


def _is_extent(value: object) -> bool:
    return isinstance(value, int) and 1 <= value < 1 << 24


def _is_box(value: object) -> bool:
    # Python's JSON reader accepts NaN, infinities, and integers of any size.
    return (
        isinstance(value, list)
        and len(value) == 4
        and all(isinstance(part, int | float) and abs(part) <= _LARGEST_FLOAT for part in value)
    )


def _chosen(path: str, images: list[Any], names: tuple[str, ...]) -> list[Any]:
    if not names:
        return sorted(images, key=lambda image: image["id"])
    known = {image["file_name"]: image for image in images}
    strange = [name for name in names if name not in known]
    if strange:
        logger.warning(
            "images: %d names are not among the %d images of %s, such as %r, and are left out",
            len(strange),
            len(known),
            path,
            strange[0],
        )
    return [known[name] for name in names if name in known]


def _counts(annotation: Mapping[str, object], wanted: Wanted) -> bool:
    _, _, width, height = np.array(annotation["bbox"], np.float32).tolist()
    large = width >= wanted.size_threshold and height >= wanted.size_threshold
    return large and (wanted.include_iscrowd or not annotation.get("iscrowd"))


def _box(box: Sequence[float], image: Mapping[str, object], wanted: Wanted) -> tuple[float, ...]:
    left, top, width, height = np.array(box, np.float32)
    found = np.array([left, top, left + width, top + height] if wanted.ltrb else [left, top, width, height], np.float32)
    if wanted.ratio:
        found = found / np.array([image["width"], image["height"]] * 2, np.float32)
    return tuple(found.tolist())


def _add_mask(
    rows: _Rows, vertices: list[np.ndarray], number: int, annotation: Mapping[str, object], path: str
) -> None:
    """Adds the mask of an object: polygons, whose vertices go to `vertices`, or runs."""
    found = annotation.get("segmentation")
    if found is None:  # some writers put null for an object without a mask
        return
    what = f"{path}: the segmentation of annotation {annotation.get('id')!r:.80}"
    if isinstance(found, dict):
        height, width, runs = decoded_runs(what, found)
        rows.codes.append((number, height, width))
        rows.runs.append(runs)
        return
    for polygon in found if isinstance(found, list) else [found]:
        try:
            points = np.array(polygon, np.float64).reshape(-1, 2)
        except (TypeError, ValueError, OverflowError):  # JSON's integers may have thousands of digits
            points = np.zeros(0)
        if not points.size or not (abs(points) < 1 << 20).all():
            raise ConfigError(f"{what} is {polygon!r:.80}, expected x and y of each corner of a polygon, or runs")
        start = rows.polygons[-1][2] if vertices else 0
        rows.polygons.append((number, start, start + len(points)))
        vertices.append(points)
