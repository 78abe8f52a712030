"""Pipelines of videos, run with the video engines of a GPU and without."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from video_files import scanned_once

import jaxdali.fn as fn
import jaxdali.types as types
from jaxdali import pipeline_def

__all__ = ["check_same", "of_decoders", "of_readers"]


def of_readers(paths: Sequence[str]) -> tuple[Any, ...]:
    """Returns nodes of each reader of videos; the last of three paths may be of another size."""
    clips, labels = fn.readers.video(device="gpu", filenames=[*paths[:2]], labels=[4, 5], sequence_length=4, stride=2)
    floats, numbers, times = fn.readers.video(
        device="gpu",
        filenames=[*paths[:1]],
        sequence_length=3,
        dtype=types.FLOAT,
        normalized=True,
        enable_frame_num=True,
        enable_timestamps=True,
    )
    newer = fn.experimental.readers.video(
        device="gpu", filenames=[*paths[:1]], sequence_length=5, step=7, pad_mode="constant", fill_value=[1, 2, 3]
    )
    given: dict[str, Any] = {"crop": (32, 48), "dtype": types.FLOAT, "mean": [9.0], "std": [3.0]}
    cropped = fn.crop_mirror_normalize(newer, **given, output_layout="FCHW")
    small = fn.readers.video_resize(device="gpu", filenames=[*paths[2:]], sequence_length=4, size=(20, 30))
    return clips, labels, floats, numbers, times, cropped, small


def of_decoders(paths: Sequence[str]) -> tuple[Any, ...]:
    """Returns nodes of decoders of videos."""
    files, _ = fn.readers.file(files=[*paths])
    some = fn.decoders.video(files, device="mixed", frames=[3, -2, 40, 0], fill_value=[7])
    small = fn.resize(some, size=(16, 16))
    return fn.decoders.video(files, device="mixed"), small, fn.decoders.video(files, device="cpu", sequence_length=2)


def check_same(define: Callable[[], Any], batches: int = 2, **given: Any) -> list[Any]:
    """Compares the samples of each output of a pipeline with an engine, and of one without. Returns the lists of the first
    batch, with an engine.
    """
    made, first, options = [], [], {"batch_size": 3, "device_id": 0, "num_threads": 1, "py_num_workers": 0, **given}
    with scanned_once():
        pipes = [pipeline_def(define)(**options), pipeline_def(define)(**options, decode_ahead=0)]
    for pipe in pipes:
        with pipe:
            lists = [pipe.run() for _ in range(batches)]
            first.append(lists[0])
            made.append([_samples(of_one) for of_one in zip(*lists, strict=True)])
    for ours, theirs in zip(*made, strict=True):
        assert len(ours) == len(theirs) == batches * options["batch_size"]
        for one, other in zip(ours, theirs, strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)
    return [*first[0]]


def _samples(lists: Sequence[Any]) -> list[np.ndarray]:
    return [np.asarray(one.as_cpu().at(row)) for one in lists for row in range(len(one))]
