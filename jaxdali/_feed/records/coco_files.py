"""Preprocessed annotations, in the files that DALI's COCO reader saves and reads.

Each file is a little-endian array after the number of its entries.
"""

from __future__ import annotations

import os

import numpy as np

from jaxdali.errors import ConfigError
from .coco_annotations import CocoTable
from .index_files import read_text
from .safe_open import is_path

__all__ = ["read_preprocessed", "write_preprocessed"]


def write_preprocessed(table: CocoTable, folder: str, image_ids: bool, polygons: bool, pixels: bool) -> None:
    """Writes a table as DALI does: boxes, labels, and what the arguments ask for.

    Raises:
        OSError: the folder does not exist, or cannot be written to.
    """

    def write(name: str, array: np.ndarray, count: int | None = None) -> None:
        with open(os.path.join(folder, f"{name}.dat"), "wb") as file:
            file.write(np.uint32(len(array) if count is None else count).tobytes() + array.tobytes())

    write("offsets", table.objects[:-1].astype("<i4"))
    write("boxes", table.boxes.astype("<f4"), table.boxes.size)
    write("labels", table.labels.astype("<i4"))
    write("counts", np.diff(table.objects).astype("<i4"))
    with open(os.path.join(folder, "filenames.dat"), "w", encoding="utf-8", errors="surrogateescape") as file:
        file.writelines(f"{name}\n" for name in table.files)
    if image_ids:
        write("original_ids", table.ids.astype("<i4"))
    if polygons or pixels:
        write("polygon_data", table.polygons.astype("<i4"))
        write("polygon_offset", table.parts[:-1].astype("<i8"))
        write("polygons_count", np.diff(table.parts).astype("<i8"))
        write("vertices", table.vertices.astype("<f4"))
        write("vertices_offset", table.corners[:-1].astype("<i8"))
        write("vertices_count", np.diff(table.corners).astype("<i8"))
    if pixels:
        write("heights", table.sizes[:, 0].astype("<i4"))
        write("widths", table.sizes[:, 1].astype("<i4"))
        write("masks_offset", table.coded[:-1].astype("<i8"))
        write("mask_count", np.diff(table.coded).astype("<i8"))
        write("masks_rles_idx", table.codes[:, 0].astype("<i4"))
        with open(os.path.join(folder, "masks_rles.dat"), "wb") as file:
            file.write(np.uint32(len(table.codes)).tobytes())
            for number, (_, height, width) in enumerate(table.codes.tolist()):
                runs = table.runs[table.ends[number] : table.ends[number + 1]]
                file.write(np.array([height, width, len(runs)], "<i8").tobytes() + runs.astype("<u4").tobytes())


def read_preprocessed(folder: str, image_ids: bool, polygons: bool, pixels: bool) -> CocoTable:
    """Reads what `write_preprocessed` or DALI wrote.

    Raises:
        ConfigError: a file has another size than its header says, or does not fit the others.
        OSError: a file is missing.
    """

    def read(name: str, dtype: str, width: int = 1) -> np.ndarray:
        path = os.path.join(folder, f"{name}.dat")
        raw = read_text(path)
        count = int.from_bytes(raw[:4], "little")
        size = np.dtype(dtype).itemsize * width
        if len(raw) != 4 + count * size:
            raise ConfigError(f"{path} has {len(raw)} bytes, expected 4 and {size} for each of its {count} entries")
        return np.frombuffer(raw, dtype, offset=4)

    def of_images(name: str, dtype: str) -> np.ndarray:
        numbers = read(name, dtype)
        if len(numbers) != len(files):
            raise ConfigError(
                f"{folder}/{name}.dat has {len(numbers)} numbers, expected one for each of {len(files)} images"
            )
        return numbers

    def bounds(name: str, dtype: str) -> np.ndarray:
        counts = of_images(name, dtype)
        wrong = (counts < 0) | (counts >= 1 << 32)  # no file has more; and sums of these stay exact
        if wrong.any():
            image = int(np.argmax(wrong))
            raise ConfigError(f"{folder}/{name}.dat says that image {image} has {counts[image]} entries")
        return np.cumsum([0, *counts.tolist()], dtype=np.int64)

    files = _names(folder)
    nothing, none = np.zeros(len(files) + 1, np.int64), np.zeros((0, 3), np.int32)
    masks = polygons or pixels
    codes, ends, runs = (
        _runs(folder, read("masks_rles_idx", "<i4"))
        if pixels
        else (none, np.zeros(1, np.int64), np.zeros(0, np.uint32))
    )
    extents = (
        [of_images(name, "<i4") for name in ("heights", "widths")] if pixels else [np.ones(len(files), np.int32)] * 2
    )
    table = CocoTable(
        files=files,
        ids=of_images("original_ids", "<i4") if image_ids else np.zeros(len(files), np.int32),
        sizes=np.stack(extents, axis=1),
        objects=bounds("counts", "<i4"),
        boxes=read("boxes", "<f4").reshape(-1, 4),
        labels=read("labels", "<i4"),
        parts=bounds("polygons_count", "<i8") if masks else nothing,
        polygons=read("polygon_data", "<i4", 3).reshape(-1, 3) if masks else none,
        corners=bounds("vertices_count", "<i8") if masks else nothing,
        vertices=read("vertices", "<f4", 2).reshape(-1, 2) if masks else np.zeros((0, 2), np.float32),
        coded=bounds("mask_count", "<i8") if pixels else nothing,
        codes=codes,
        ends=ends,
        runs=runs,
    )
    ends_of = {"objects": (table.boxes, table.labels), "parts": (table.polygons,), "corners": (table.vertices,)}
    for name, arrays in {**ends_of, "coded": (table.codes,)}.items():
        if any(len(array) != getattr(table, name)[-1] for array in arrays):
            raise ConfigError(
                f"the files in {folder} do not agree: {name} should have {getattr(table, name)[-1]} entries in all"
            )
    _check_masks(table, folder)
    return table


def _names(folder: str) -> list[str]:
    """Returns the names of the images."""
    files = read_text(os.path.join(folder, "filenames.dat")).decode(errors="surrogateescape").splitlines()
    if not files:
        raise ConfigError(f"No files found: {folder}/filenames.dat names no image")
    if (wrong := next((name for name in files if not name or not is_path(name)), None)) is not None:
        raise ConfigError(f"{folder}/filenames.dat names {wrong!r:.80}, which no file can be called; it is damaged")
    return files


def _check_masks(table: CocoTable, folder: str) -> None:
    """Checks that masks are of objects that their image has, and polygons have corners, which are in reach of an image."""
    objects, corners = np.diff(table.objects), np.diff(table.corners)
    of_polygon, of_code = (np.repeat(np.arange(len(table)), np.diff(bounds)) for bounds in (table.parts, table.coded))
    mine, first, last = table.polygons.T
    without = (first < 0) | (first >= last) | (last > corners[of_polygon])
    wrong = {
        "heights": (table.sizes < 1).any(axis=1),
        "polygon_data": (mine < 0) | (mine >= objects[of_polygon]) | without,
        "masks_rles_idx": (table.codes[:, 0] < 0) | (table.codes[:, 0] >= objects[of_code]),
        "vertices": ~(np.abs(table.vertices) < 1 << 20).all(axis=1),
    }
    for name, found in wrong.items():
        if found.any():
            raise ConfigError(
                f"{folder}/{name}.dat is damaged: entry {int(np.argmax(found))} has an object, corners or extents that its "
                "image has not"
            )


def _runs(folder: str, of_objects: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    path = os.path.join(folder, "masks_rles.dat")
    raw, offset = read_text(path), 4
    objects = of_objects.tolist()
    codes, runs = [], []
    for number in objects:
        head = np.frombuffer(raw, "<i8", 3, offset).tolist() if offset + 24 <= len(raw) else []
        if not head or not all(0 <= one < 1 << 28 for one in head) or offset + 24 + 4 * head[2] > len(raw):
            raise ConfigError(f"{path} is cut off, or damaged, at byte {offset}")
        runs.append(np.frombuffer(raw, "<u4", head[2], offset + 24))
        if int(runs[-1].sum(dtype=np.int64)) != head[0] * head[1]:
            raise ConfigError(
                f"{path}: the runs at byte {offset} do not add up to the {head[0]} x {head[1]} pixels of their mask"
            )
        codes.append((number, *head[:2]))
        offset += 24 + 4 * head[2]
    ends = np.cumsum([0, *map(len, runs)], dtype=np.int64)
    return np.array(codes, np.int32).reshape(-1, 3), ends, np.concatenate([np.zeros(0, np.uint32), *runs])
