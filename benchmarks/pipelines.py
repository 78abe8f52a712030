"""The pipelines that `operators.py` measures, each written once for both `jaxdali` and `nvidia.dali`.

Random values come from a `Draws`, so that the same definitions can also be compared pixel by pixel without randomness.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["CONTRAST", "DEFINITIONS", "EXTENT", "Definition", "Task", "open_pipeline"]

EXTENT = 224
MEAN, STD = [123.675, 116.28, 103.53], [58.395, 57.12, 57.375]
# Luma of the above.
GRAY_MEAN, GRAY_STD = [117.1], [57.3]

CONTRAST = (1.0, 3.0)


class Draws:
    """The random values of pipelines, and where they decode. If fixed, images are flipped, contrast is 1.7, and random
    windows are whole images.
    """

    def __init__(self, fn: Any, fixed: bool, device: str = "cpu"):
        self.fn = fn
        self.fixed = fixed
        # Later operators run where the images are.
        self.decoding = {"device": "mixed"} if device == "gpu" else {}

    def flip(self) -> Any:
        return 1 if self.fixed else self.fn.random.coin_flip()

    def contrast(self) -> Any:
        return 1.7 if self.fixed else self.fn.random.uniform(range=CONTRAST)

    @property
    def window(self) -> dict[str, Any]:
        # The only attempt hardly ever fits, and then the whole image is taken.
        whole = {"random_area": [1.0, 1.0], "random_aspect_ratio": [0.02, 50.0], "num_attempts": 1}
        return whole if self.fixed else {}


# Makes images from files: `(dali, draws, files) -> one node, or a tuple of nodes`.
Make = Callable[[Any, Draws, Any], Any]


@dataclasses.dataclass(frozen=True)
class Definition:
    """A pipeline.

    Attributes:
        outputs: number of images that it makes from a file.
        channels: of its images.
        contrast: whether it draws contrasts, so that values leave the range of their file.
    """

    make: Make
    outputs: int = 1
    channels: int = 3
    contrast: bool = False

    def moments(self) -> tuple[list[float], list[float]]:
        """Mean and deviation with which its images are normalised."""
        return (MEAN, STD) if self.channels == 3 else (GRAY_MEAN, GRAY_STD)


DEFINITIONS: dict[str, Definition] = {}


def _define(name: str, **facts: Any) -> Callable[[Make], Make]:
    def define(make: Make) -> Make:
        DEFINITIONS[name] = Definition(make, **facts)
        return make

    return define


def _decode(dali: Any, draws: Draws, files: Any, **options: Any) -> Any:
    # The defaults of jaxdali and DALI differ, but both must do the same work.
    return dali.fn.decoders.image(files, jpeg_fancy_upsampling=True, **draws.decoding, **options)


def _crop(dali: Any, draws: Draws, images: Any, **options: Any) -> Any:
    return dali.fn.random_resized_crop(images, size=[EXTENT, EXTENT], **draws.window, **options)


def _finish(dali: Any, draws: Draws, images: Any, **options: Any) -> Any:
    moments = {"mean": MEAN, "std": STD, **options}
    return dali.fn.crop_mirror_normalize(images, mirror=draws.flip(), dtype=dali.types.FLOAT, **moments)


@_define("crop")
def crop(dali: Any, draws: Draws, files: Any) -> Any:
    return _finish(dali, draws, _crop(dali, draws, _decode(dali, draws, files)))


@_define("crop, contrast", contrast=True)
def crop_contrast(dali: Any, draws: Draws, files: Any) -> Any:
    images = _crop(dali, draws, _decode(dali, draws, files))
    return _finish(dali, draws, dali.fn.brightness_contrast(images, contrast=draws.contrast()))


@_define("contrast, crop", contrast=True)
def contrast_crop(dali: Any, draws: Draws, files: Any) -> Any:
    images = dali.fn.brightness_contrast(_decode(dali, draws, files), contrast=draws.contrast())
    return _finish(dali, draws, _crop(dali, draws, images))


@_define("tutorial", contrast=True)
def tutorial(dali: Any, draws: Draws, files: Any) -> Any:
    images = dali.fn.brightness_contrast(_decode(dali, draws, files), contrast=draws.contrast())
    images = dali.fn.resize(images, size=[EXTENT, EXTENT])
    return _finish(dali, draws, images)


@_define("crop without antialias")
def crop_plain(dali: Any, draws: Draws, files: Any) -> Any:
    return _finish(dali, draws, _crop(dali, draws, _decode(dali, draws, files), antialias=False))


@_define("flip, crop")
def flip_crop(dali: Any, draws: Draws, files: Any) -> Any:
    images = dali.fn.flip(_decode(dali, draws, files), horizontal=draws.flip())
    images = _crop(dali, draws, images)
    return dali.fn.crop_mirror_normalize(images, mean=MEAN, std=STD, dtype=dali.types.FLOAT)


@_define("two crops", outputs=2)
def two_crops(dali: Any, draws: Draws, files: Any) -> Any:
    images = _decode(dali, draws, files)
    return tuple(_finish(dali, draws, _crop(dali, draws, images)) for _ in range(2))


@_define("validation")
def validation(dali: Any, draws: Draws, files: Any) -> Any:
    images = dali.fn.resize(_decode(dali, draws, files), resize_shorter=256)
    return dali.fn.crop_mirror_normalize(images, crop=(EXTENT, EXTENT), mean=MEAN, std=STD, dtype=dali.types.FLOAT)


@_define("cubic crop")
def cubic(dali: Any, draws: Draws, files: Any) -> Any:
    images = _crop(dali, draws, _decode(dali, draws, files), interp_type=dali.types.INTERP_CUBIC)
    return _finish(dali, draws, images)


@_define("gray crop", channels=1)
def gray(dali: Any, draws: Draws, files: Any) -> Any:
    images = _crop(dali, draws, _decode(dali, draws, files, output_type=dali.types.GRAY))
    return _finish(dali, draws, images, mean=GRAY_MEAN, std=GRAY_STD)


@_define("four crops", outputs=4)
def four_crops(dali: Any, draws: Draws, files: Any) -> Any:
    images = _decode(dali, draws, files)
    return tuple(_finish(dali, draws, _crop(dali, draws, images)) for _ in range(4))


@_define("longer, pad")
def longer_pad(dali: Any, draws: Draws, files: Any) -> Any:
    images = dali.fn.resize(_decode(dali, draws, files), resize_longer=EXTENT)
    return _finish(dali, draws, images, crop=(EXTENT, EXTENT), out_of_bounds_policy="pad", fill_values=[0.0, 0.0, 0.0])


@_define("slice")
def image_slice(dali: Any, draws: Draws, files: Any) -> Any:
    options = {"rel_start": [0.2, 0.1], "rel_shape": [0.6, 0.7], "axis_names": "HW", "jpeg_fancy_upsampling": True}
    images = dali.fn.decoders.image_slice(files, **draws.decoding, **options)
    images = dali.fn.resize(images, size=[EXTENT, EXTENT])
    return _finish(dali, draws, images)


class Files:
    """The source: returns a file with its label, over and over."""

    def __init__(self, names: list[str]):
        self.names = names

    def __call__(self, info: Any) -> tuple[np.ndarray, np.ndarray]:
        index = info.idx_in_epoch % len(self.names)
        return np.fromfile(self.names[index], np.uint8), np.array([index], np.int32)


@dataclasses.dataclass(frozen=True)
class Task:
    """What both systems are asked to do.

    Attributes:
        source: "callback" or "reader".
        workers: processes that read files; 0: the main process reads; None: each system's default.
        fixed: nothing is random.
        start: how workers are started.
        device: "cpu", or "gpu": the first GPU decodes and does everything after that.
        depth: finished batches that are kept ahead.
    """

    names: list[str]
    source: str
    workers: int | None
    threads: int
    fixed: bool = False
    start: str = "spawn"
    device: str = "cpu"
    batch: int = 64
    depth: int = 2


def open_pipeline(dali: Any, definition: Definition, task: Task) -> tuple[Any, list[str]]:
    """Returns the pipeline and the names of its outputs; the last is the label. `dali` is nvidia.dali or jaxdali."""
    # DALI needs at least one worker.
    least = 0 if dali.__name__ == "jaxdali" else 1
    workers = {} if task.workers is None else {"py_num_workers": max(task.workers, least)}

    @dali.pipeline_def(
        batch_size=task.batch,
        num_threads=task.threads,
        device_id=0 if task.device == "gpu" else None,
        py_start_method=task.start,
        prefetch_queue_depth=task.depth,
        seed=2,
        **workers,
    )
    def graph():
        fn = dali.fn
        if task.source == "reader":
            files, labels = fn.readers.file(files=task.names, labels=list(range(len(task.names))))
        else:
            parallel = {"parallel": True, "prefetch_queue_depth": 2} if task.workers != 0 else {}
            files, labels = fn.external_source(Files(task.names), num_outputs=2, batch=False, **parallel)
        images = definition.make(dali, Draws(fn, task.fixed, task.device), files)
        return (*images, labels) if isinstance(images, tuple) else (images, labels)

    return graph(), [*(f"image {number}" for number in range(definition.outputs)), "label"]
