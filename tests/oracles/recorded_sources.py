"""The sources of the recorded programs. Workers import this file, so it does not import jax."""

from __future__ import annotations

import functools
import pathlib
import tempfile

import numpy as np
from jpeg_files import random_jpeg

SIZES = [(48, 64), (40, 31), (64, 48), (33, 70), (24, 26)]
SAMPLINGS = [[(2, 2), (1, 1), (1, 1)], [(1, 1)] * 3, [(2, 1), (1, 1), (1, 1)]]
BATCH, EPOCH = 4, 3


@functools.cache
def jpegs() -> list[bytes]:
    return [random_jpeg(*size, SAMPLINGS[k % 3], seed=k) for k, size in enumerate(SIZES)]


@functools.cache
def folder() -> str:
    """A folder of ten files in two classes; it is kept until the interpreter ends."""
    keep = tempfile.TemporaryDirectory()
    folder.keep = keep  # type: ignore[attr-defined]
    for k in range(10):
        path = pathlib.Path(keep.name) / f"class{k % 2}"
        path.mkdir(exist_ok=True)
        (path / f"{k}.jpg").write_bytes(jpegs()[k % 5])
    return keep.name


def sample(info):
    if info.iteration >= EPOCH:
        raise StopIteration
    return np.frombuffer(jpegs()[info.idx_in_epoch % 5], np.uint8), np.int32(info.idx_in_epoch)


def file(info):
    return sample(info)[0]


def damaged(info):
    return np.frombuffer(b"no image", np.uint8) if info.idx_in_epoch == 2 else file(info)


def numbers(info):
    if info.iteration >= EPOCH:
        raise StopIteration
    return np.array([info.idx_in_epoch, info.idx_in_batch, info.epoch_idx], np.float32)


def ragged(info):
    return np.full(1 + info.idx_in_epoch % 4, info.idx_in_epoch, np.int16)


def drawn_on_the_host(info):
    return info.rng.normal(size=3)[:2].astype(np.float32)


def batches(iteration):
    if iteration >= EPOCH:
        raise StopIteration
    return np.arange(iteration * 8, iteration * 8 + 8, dtype=np.int32).reshape(4, 2)


def generator():
    for k in range(EPOCH):
        yield [np.full(2, k * BATCH + row, np.uint8) for row in range(BATCH)]


class Samples:
    def __len__(self):
        return 21

    def __getitem__(self, index):
        return {"image": jpegs()[index % 5], "label": np.int32(index)}
