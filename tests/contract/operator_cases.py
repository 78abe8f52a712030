"""Calls any operator as a user would, from its declaration: inputs of the right kind, and values for its arguments."""

from __future__ import annotations

import functools
import io
from collections.abc import Mapping
from typing import Any

import numpy as np
from jpeg_files import photo, pillow_jpeg
from reader_arguments import READER_BASES
from sound_files import sound_bytes, tones
from video_files import video_bytes

from jaxdali import Pipeline, fn
from jaxdali._dali.graph.declarations import operators
from jaxdali._dali.graph.graph import find_graph
from jaxdali._dali.graph.graph_identity import identify
from jaxdali._dali.graph.scope import Scope
from jaxdali._dali.operators.arithmetic.operations import FUNCTIONS, Operation
from jaxdali._dali.operators.declaration import REQUIRED, Operator

# Written in terms of other operators, which are in the graph instead.
COMPOSED = {"readers.video_resize"}
ALL: dict[str, Operator] = {
    name: one for name, one in operators().items() if isinstance(one, Operator) and name not in COMPOSED
}
# A source has no input that could vary.
COMPUTED = {name: one for name, one in ALL.items() if one.source is None}
WITH_INPUTS = {name: one for name, one in COMPUTED.items() if one.inputs or isinstance(one, Operation)}

SMALL, LARGE = (6, 5), (8, 7)
SEED = 5


def sample(takes: str, extents: tuple[int, int], seed: int) -> np.ndarray:
    """Returns one sample of the kind that an input takes."""
    if takes == "truth":
        return np.bool_(seed % 2 == 0)
    if takes == "count":
        return np.int32(3)
    if takes == "files":
        return np.frombuffer(pillow_jpeg(*extents, seed=seed), np.uint8)
    if takes == "sounds":
        return sound_bytes(tones(10 * extents[0] + extents[1], 2, seed))
    if takes == "videos":
        return video_bytes(4 + seed % 2, 2 * extents[0], 2 * extents[1])
    if takes == "paths":
        return np.frombuffer(__file__.encode(), np.uint8)
    if takes == "npy":
        stream = io.BytesIO()
        np.save(stream, photo(*extents, seed=seed))
        return np.frombuffer(stream.getvalue(), np.uint8)
    if takes == "extents":
        return np.int64([*extents, 3])
    if takes == "maps":
        return np.arange(6, dtype=np.float32).reshape(2, 3) + seed
    image = np.maximum(photo(*extents, seed=seed), 1)  # some operators divide by it
    if takes == "sequences":
        return np.stack([image, image // 2])
    if takes in ("mask_ids", "polygons", "vertices"):
        count = extents[0]
        return {
            "mask_ids": np.int32([1, 0]),
            "polygons": np.int32([[0, 0, 2], [1, 2, count]]),
            "vertices": image[:, :2, 0] / np.float32(256),
        }[takes]
    if takes == "signals":
        return image[:, :, 0].astype(np.float32).ravel()
    if takes == "spectra":
        return image[:4, :, 0].astype(np.float32)
    if takes == "labels":
        return image[:, 0, 0].astype(np.int32)
    if takes in ("boxes", "points"):
        return image[:, 0, [0, 1, 2, 0] if takes == "boxes" else [0, 1]] / np.float32(256)
    return {"columns": image[:, :, :1], "mosaics": image[:, :, :1], "scalars": np.float32(image.mean())}.get(
        takes, image
    )


def source(takes: str, batches: list) -> object:
    """Returns a source node. Each batch is a list of the extents of its samples."""
    made = [[sample(takes, extents, k) for k, extents in enumerate(batch)] for batch in batches]
    layouts = {
        "sequences": "FHWC",
        "spectra": "ft",
        **dict.fromkeys(
            (
                "boxes",
                "count",
                "extents",
                "files",
                "labels",
                "maps",
                "mask_ids",
                "npy",
                "paths",
                "points",
                "polygons",
                "scalars",
                "signals",
                "sounds",
                "truth",
                "vertices",
                "videos",
            )
        ),
    }
    layout = layouts.get(takes, "HWC")
    return fn.external_source(lambda i: made[i], batch=True, layout=layout)


def inputs_of(one: Operator, batches: list, arguments: Mapping[str, Any] | None = None) -> list:
    """Returns a node for each input; an operation gets the same node for all of its operands."""
    if one.is_random and "shape" in (arguments or {}):  # the shape of a draw takes the place of an input
        return [source(node.takes, batches) for node in one.inputs if not node.optional]
    if one.name == "full" and "shape" in (arguments or {}):  # a number can be given any shape
        return [source("scalars", batches)]
    if isinstance(one, Operation):
        count = 1 if one.kind in ("minus", "bitnot") else len(FUNCTIONS.get(one.kind, ("ab", ""))[0])
        return [source("numbers", batches)] * count
    return [source(node.takes, batches) for node in one.inputs if node.takes != "windows"]


def base(one: Operator) -> dict:
    """Returns the required arguments, and those that make two calls draw the same numbers."""
    if one.name in _BASES:
        return _BASES[one.name]()
    if isinstance(one, Operation):
        return {}
    given = {param.name: param.kind.examples[0] for param in one.params if param.default is REQUIRED}
    if one.is_random:
        given["seed"] = SEED
    return given


# For operators that require one of several arguments.
_BASES = {
    "audio_resample": lambda: {"scale": 0.5},
    "constant": lambda: {"idata": [1, 2]},
    "multi_paste": lambda: {"output_size": (9, 8)},
    "one_of": lambda: {"numbers": tuple(range(16))},
    "per_frame": lambda: {"replace": True},
    "power_spectrum": lambda: {"nfft": 8},
    "reinterpret": lambda: {"layout": "HWC"},
    "reshape": lambda: {"layout": "HWC"},
    "pad": lambda: {"shape": (9, 9, 4)},
    "slice": lambda: {"start": (1, 2), "shape": (2, 3)},
    "squeeze": lambda: {"axis_names": "C"},
    **READER_BASES,
    "crop": lambda: {"crop": 4},
    "decoders.image_crop": lambda: {"crop": 4},
    **dict.fromkeys(("resize", "resize_crop_mirror"), lambda: {"size": 4}),
    "roi_random_crop": lambda: {"crop_shape": (2, 3), "roi_start": (1, 0), "roi_end": (4, 4), "seed": SEED},
    "erase": lambda: {"shape": (2, 3)},
    "gaussian_blur": lambda: {"sigma": 1.0},
    "tensor_resize": lambda: {"sizes": (4, 3, 2)},
    "transforms.shear": lambda: {"shear": (0.5, 0.25)},
    "experimental.warp_perspective": lambda: {"matrix": (0.5, 0.25, 1, -0.25, 0.75, 0.5, 0, 0.125, 1)},
    "warp_affine": lambda: {"matrix": (0.5, 0.25, 1, -0.25, 0.75, 0.5)},
}
# Arguments that are several numbers if they are nodes.
_PAIRS = {("bbox_rotate", "size"): (9, 8), ("multi_paste", "output_size"): (9, 8)}
# Arguments that need others set along with them; None leaves one out.
BESIDE = {
    ("audio_resample", "in_rate"): {"scale": None, "out_rate": 9000},
    ("audio_resample", "out_rate"): {"scale": None, "in_rate": 9000},
    ("audio_resample", "out_length"): {"scale": None},
    ("constant", "fdata"): {"idata": None},
    ("constant", "shape"): {"idata": 3},
    ("constant", "layout"): {"idata": [1]},
    ("lookup_table", "keys"): {"values": (1.0, 2.0)},
    ("lookup_table", "values"): {"keys": (1, 2)},
    **{("pad", name): {"shape": 9} for name in ("axes", "axis_names")},
    **{("slice", name): {"shape": None} for name in ("end", "rel_end", "rel_shape")},
    ("slice", "rel_start"): {"start": None},
    ("slice", "axes"): {"start": 1, "shape": 2},
    ("slice", "axis_names"): {"start": 1, "shape": 2},
    ("spectrogram", "nfft"): {"window_length": 2},
    ("squeeze", "axes"): {"axis_names": None},
    ("expand_dims", "new_axis_names"): {"axes": (0, 1, 2)},
    ("external_source", "cycle"): {"source": [np.zeros((1, 1))]},
    ("external_source", "batch"): {"source": lambda: [0]},
    ("external_source", "batch_info"): {"source": lambda info: [info]},
    ("external_source", "parallel"): {"source": lambda info: info, "batch": False},
    ("external_source", "no_copy"): {"source": lambda info: info, "parallel": True, "batch": False},
    ("external_source", "prefetch_queue_depth"): {"source": lambda info: info, "parallel": True},
    ("external_source", "num_outputs"): {"source": lambda info: (info, info, info)},
    ("crop", "crop_h"): {"crop": None, "crop_w": 4},
    ("crop", "crop_w"): {"crop": None, "crop_h": 4},
    ("crop", "crop_d"): {"crop": None, "crop_h": 4, "crop_w": 4},
    ("crop_mirror_normalize", "crop_h"): {"crop_w": 4},
    ("crop_mirror_normalize", "crop_w"): {"crop_h": 4},
    ("crop_mirror_normalize", "crop_d"): {"crop_h": 4, "crop_w": 4},
    ("decoders.image_crop", "crop_h"): {"crop": None, "crop_w": 4},
    ("decoders.image_crop", "crop_w"): {"crop": None, "crop_h": 4},
    **{
        (resizes, name): beside
        for resizes in ("resize", "resize_crop_mirror")
        for name, beside in {
            **{
                key: {"size": None, "max_size": 9}
                for key in ("resize_x", "resize_y", "resize_shorter", "resize_longer")
            },
            "resize_z": {"size": None, "resize_x": 4},
            "size": {"max_size": 9},
            "roi_start": {"roi_end": (3, 3)},
            "roi_end": {"roi_start": (1, 0)},
        }.items()
    },
    ("resize_crop_mirror", "crop_h"): {"crop_w": 4},
    ("resize_crop_mirror", "crop_w"): {"crop_h": 4},
    ("resize_crop_mirror", "crop_d"): {"crop_h": 4, "crop_w": 4},
    ("tensor_resize", "scales"): {"sizes": None, "max_size": 9},
    ("tensor_resize", "roi_start"): {"roi_end": (3, 3, 3)},
    ("tensor_resize", "roi_end"): {"roi_start": (1, 0, 0)},
    ("tensor_resize", "alignment"): {"sizes": (4.3, 3.3, 2.3)},
    ("tensor_resize", "axes"): {"sizes": 4},
    ("tensor_resize", "axis_names"): {"sizes": 4},
    **{(name, shape): {"layout": None} for name in ("reinterpret", "reshape") for shape in ("shape", "rel_shape")},
    ("roi_random_crop", "roi_shape"): {"roi_end": None},
    ("random_bbox_crop", "crop_shape"): {"input_shape": (9, 8)},
    ("coord_transform", "MT"): {"M": None, "T": None},
    ("transforms.shear", "angles"): {"shear": None},
}


def write(one: Operator, batches: list, **arguments):
    """Returns the node of a call, or the first one of several."""
    given = {**base(one), **arguments}
    return first_of(one(*inputs_of(one, batches, arguments), **given))


def room_of(door, room: str):
    """Returns the module below a door that holds an operator's name: "io.file" of fn is fn.io.file."""
    return functools.reduce(getattr, filter(None, room.split(".")), door)


def first_of(made):
    """Returns the first node of what a call returned."""
    made = list(made.values()) if isinstance(made, dict) else made
    return made[0] if isinstance(made, list) else made


def examples(one: Operator) -> dict:
    """Returns a value for each argument that may be a node."""
    values = {param.name: param.kind.examples[0] for param in one.params if param.per_sample and param.kind.examples}
    return {name: _PAIRS.get((one.name, name), value) for name, value in values.items()}


def busy(one: Operator) -> dict:
    """Returns arguments with which the operator does something: all that may be nodes and may be given together."""
    optional = {param.name for param in one.params if param.default is None}
    return {
        name: value for name, value in examples(one).items() if name not in optional and (one.name, name) not in BESIDE
    }


def digest(node) -> str:
    """Returns the digest of the graph that ends at this node."""
    return identify(find_graph([node], [], Scope()), {}).digest


def run(*nodes, size: int = 3, batches: int = 1) -> list[list[list[np.ndarray]]]:
    """Returns the samples of each output of each batch."""
    pipe = Pipeline(batch_size=size, seed=1, prefetch_queue_depth=1)
    pipe.set_outputs(*nodes)
    with pipe:
        return [[samples_of(output) for output in pipe.run()] for _ in range(batches)]


def samples_of(output) -> list[np.ndarray]:
    return [np.asarray(output.at(row)) for row in range(len(output))]
