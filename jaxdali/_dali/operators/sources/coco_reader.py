"""Reads images with annotations in COCO's format."""

from __future__ import annotations

import dataclasses

import numpy as np

from jaxdali._feed.records.coco_annotations import CocoTable, Wanted, read_annotations
from jaxdali._feed.records.coco_files import read_preprocessed, write_preprocessed
from jaxdali._feed.source.coco import COCO
from jaxdali._feed.storage.urls import absolute
from jaxdali.errors import ConfigError
from ...graph.call import Params
from ...graph.declarations import declare
from ..argument_kinds import FLAG, NUMBER, PATH, several
from ..declaration import REQUIRED, Old, Operator, Param, Static
from .reader_params import ACCEPTED, READING, SHARDING, TEXT, caching, describe_reader, hints, reader_spec
from .reader_spec import ReaderSpec

__all__ = ["coco_reader"]

# Arguments that apply when a JSON file is preprocessed; they cannot change annotations that were saved then.
_WORKED_OUT = ("images", "ltrb", "ratio", "size_threshold", "skip_empty", "include_iscrowd", "avoid_class_remapping")

_PARAMS: tuple[Param, ...] = (
    Static("file_root", PATH, REQUIRED, "folder of the image files"),
    Static("annotations_file", PATH, None, "path of a JSON file with annotations in COCO's format"),
    Static(
        "images",
        several(TEXT),
        None,
        "names of files as they appear in the annotations, in the order in which to read them; names may occur more "
        "than once, and those that do not appear there are left out. By default all images are read, in the order of "
        "their ids",
    ),
    Static(
        "ltrb",
        FLAG,
        False,
        "return boxes as left, top, right and bottom; by default as x, y, width and height, as in the file",
    ),
    Static("ratio", FLAG, False, "return boxes and polygons in fractions of the image's width and height"),
    Static("size_threshold", NUMBER, 0.1, "ignore objects whose box is less wide or less high than this, in pixels"),
    Static("skip_empty", FLAG, False, "skip images in which all objects are ignored, or that have none"),
    Static("include_iscrowd", FLAG, True, "include objects with iscrowd=1"),
    Static(
        "avoid_class_remapping",
        FLAG,
        False,
        "use the category ids as labels; by default labels are 1, 2, ... in the order of the categories in the file",
    ),
    Static("polygon_masks", FLAG, False, "also return polygons and their vertices"),
    Static("pixelwise_masks", FLAG, False, "also return the label of each pixel; not with polygon_masks"),
    Static(
        "masks",
        FLAG,
        False,
        "deprecated: like polygon_masks, but polygons count coordinates, two per vertex, instead of vertices",
    ),
    Static("image_ids", FLAG, False, "also return the ids of the images"),
    Static(
        "preprocessed_annotations",
        PATH,
        None,
        "a folder written by save_preprocessed_annotations, here or in DALI; instead of annotations_file. All options"
        " that concern annotations are as they were when it was written",
    ),
    Param(
        "save_preprocessed_annotations",
        FLAG,
        False,
        "save the preprocessed annotations in a folder",
        hint=True,
    ),
    Param(
        "save_preprocessed_annotations_dir", PATH, None, "the folder in which they are saved; it must exist", hint=True
    ),
    *SHARDING,
    *hints("one number per output", None),
)


def _outputs(given: Params) -> int:
    polygons = given["polygon_masks"] or given["masks"]
    return 3 + 2 * bool(polygons) + bool(given["pixelwise_masks"]) + bool(given["image_ids"])


def _spec(given: Params) -> ReaderSpec:
    polygons = given["polygon_masks"] or given["masks"]
    if polygons and given["pixelwise_masks"]:
        raise ConfigError("pixelwise_masks and polygon_masks are mutually exclusive; give one of them")
    kind = "polygons" if polygons else "pixels" if given["pixelwise_masks"] else None
    table = _table(given, kind)
    folder = given.get("save_preprocessed_annotations_dir")
    if given.get("save_preprocessed_annotations", False) != (folder is not None):
        raise ConfigError(
            "save_preprocessed_annotations and save_preprocessed_annotations_dir go together: the first says that "
            "annotations are saved, the second where"
        )
    if folder is not None:
        write_preprocessed(table, folder, given["image_ids"], kind == "polygons", kind == "pixels")
    if given["masks"]:
        table = dataclasses.replace(table, polygons=table.polygons * np.array([1, 2, 2], np.int32))
    data = COCO(given["file_root"], table, kind, given["image_ids"], **caching(given))
    layouts = ("", "", "", *(("HWC",) if kind == "pixels" else ()), *[""] * 3)
    outputs = _outputs(given)
    return reader_spec("coco", data, given, outputs, layouts[:outputs])


def _table(given: Params, masks: str | None) -> CocoTable:
    file, folder = given["annotations_file"] or None, given["preprocessed_annotations"] or None
    if (file is None) == (folder is None):
        raise ConfigError(
            "either annotations_file or preprocessed_annotations is expected, not both; got "
            f"annotations_file={file!r} and preprocessed_annotations={folder!r}"
        )
    if folder is not None:
        usual = {param.name: param.default for param in _PARAMS}
        for name in _WORKED_OUT:
            if given[name] != usual[name]:
                raise ConfigError(
                    f"{name}= is not supported with preprocessed_annotations, to which it was applied when they were "
                    "saved; save them again"
                )
        return read_preprocessed(folder, given["image_ids"], masks == "polygons", masks == "pixels")
    wanted = {name: given[name] for name in _WORKED_OUT if name != "images"}
    assert file is not None
    what = Wanted(**wanted, masks=masks, images=tuple(given["images"] or ()))
    return read_annotations(absolute(file), what)


coco_reader = declare(
    Operator(
        name="readers.coco",
        doc=f"""Reads images and their objects, by annotations in COCO's format, forever; DALI's `fn.readers.coco`.

    {READING}

    Where masks of pixels meet, the largest label counts, as in DALI. Of several masks of one label DALI loses some pixels: a
    mask in runs that is not the last one, and what reaches the image's last pixel. Here all of them count.""",
        params=_PARAMS,
        accepted={**ACCEPTED, "lazy_init": "annotations are read when the operator is written"},
        old={
            "save_img_ids": Old("image_ids"),
            "meta_files_path": Old("preprocessed_annotations"),
            "dump_meta_files": Old("save_preprocessed_annotations"),
            "dump_meta_files_path": Old("save_preprocessed_annotations_dir"),
        },
        devices=("cpu",),
        outputs=_outputs,
        returns="Nodes: the bytes of the images, `uint8[size]`; boxes, `float32[n, 4]`; labels, `int32[n]`. Then with "
        "`polygon_masks` polygons, `int32[p, 3]`, of each its object and its first and last vertex (exclusive), and "
        "vertices, `float32[v, 2]`, x and y; with `pixelwise_masks` `int32[height, width, 1]`, 0 where no object is; with "
        "`image_ids` `int32[1]`.",
        raises={
            "OSError": "annotations cannot be read. That of an image comes as SourceError from `run`, with its path"
        },
        source=_spec,
        describe=describe_reader,
    )
)
