"""Sizes that depend on data, from sources or computed, and sources that rewind themselves, compared with DALI."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from beside_dali import BATCH, SYSTEMS, load, pipeline

pytestmark = pytest.mark.dali

RUNS = 4
# Each batch has a different largest size, the second one the largest of all.
WANTED = np.asarray([[5, 9], [6, 4], [30, 8], [9, 40], [13, 15], [4, 4], [12, 10], [7, 3]])


def wanted(dtype):
    def batches():
        for k in itertools.count():
            yield [WANTED[(BATCH * k + row) % len(WANTED)].astype(dtype) for row in range(BATCH)]

    return batches


def images(channels=3, depth=()):
    def batches():
        draws = np.random.default_rng(5)
        while True:
            yield [
                draws.integers(0, 256, (*depth, 11 + row, 14 - row, channels)).astype(np.uint8) for row in range(BATCH)
            ]

    return batches


def of_a_source(dali):
    size = dali.fn.external_source(wanted(np.float32))
    pixels = dali.fn.external_source(images(), layout="HWC")
    both = dali.fn.resize(pixels, size=size)
    return (
        both,
        dali.fn.resize(pixels, resize_shorter=size[0]),
        dali.fn.resize(both, resize_x=size[1], resize_y=size[0]),
    )


def computed(dali):
    size = dali.fn.external_source(wanted(np.float32))
    pixels = dali.fn.external_source(images(), layout="HWC")
    width = dali.fn.slice(dali.fn.cast(pixels.shape(), dtype=dali.types.INT32), 1, 1, axes=[0])
    scale = dali.math.min(size[0] / width, 3.0)
    larger = dali.fn.resize(pixels, resize_x=width * scale + 2, resize_y=width * scale)
    # The size of the result determines the next size.
    return larger, dali.fn.resize(larger, resize_longer=larger.shape()[0] * 2 - size[1] / 8)


def filled_up(dali):
    size = dali.fn.external_source(wanted(np.int32))
    pixels = dali.fn.external_source(images(), layout="HWC")
    number = dali.fn.cast(size, dtype=dali.types.FLOAT)
    cut = dali.fn.crop(pixels, crop_h=number[0], crop_w=number[1], out_of_bounds_policy="pad", fill_values=7)
    part = dali.fn.slice(pixels, size // 2, size + 1, axes=[0, 1], out_of_bounds_policy="pad", fill_values=9)
    return cut, part, dali.fn.slice(pixels, start=[1], shape=size[0], axes=[0], out_of_bounds_policy="pad")


def of_volumes(dali):
    size = dali.fn.external_source(wanted(np.float32))
    pixels = dali.fn.external_source(images(1, (5,)), layout="DHWC")
    return dali.fn.resize(pixels, size=dali.fn.cat(size, size[:1] + 1))


@pytest.mark.parametrize("outputs", [of_a_source, computed, filled_up, of_volumes], ids=lambda one: one.__name__)
def test_sizes(outputs):
    found = []
    for system in SYSTEMS:
        dali = load(system)
        pipe = pipeline(dali)
        with pipe:
            nodes = outputs(dali)
            pipe.set_outputs(*(nodes if isinstance(nodes, tuple) else (nodes,)))
        pipe.build()
        found.append([[np.array(one.at(k)) for one in pipe.run() for k in range(BATCH)] for _ in range(RUNS)])
    theirs, ours = found
    for batch, (wanted_batch, batch_found) in enumerate(zip(theirs, ours, strict=True)):
        for place, (right, got) in enumerate(zip(wanted_batch, batch_found, strict=True)):
            assert (got.shape, got.dtype) == (right.shape, right.dtype), (batch, place)
            # Halves of levels may be rounded either way, twice if two resizes follow one another.
            assert np.abs(got.astype(int) - right.astype(int)).max(initial=0) <= 2, (batch, place)


class Rewound:
    """An iterable that rewinds itself at its end, as tutorials write it."""

    def __iter__(self):
        self.at = 0
        return self

    def __next__(self):
        if self.at == 3:
            self.__iter__()
            raise StopIteration
        self.at += 1
        return [np.int32([10 * self.at + row]) for row in range(BATCH)]


@pytest.mark.parametrize(
    "source", [Rewound, lambda: iter([[np.int32([k])] * BATCH for k in range(3)])], ids=["rewound", "spent"]
)
def test_epochs_of_one_iterator(source):
    found = []
    for system in SYSTEMS:
        dali = load(system)
        pipe = pipeline(dali)
        with pipe:
            pipe.set_outputs(dali.fn.external_source(source()) + 1)
        pipe.build()
        epochs = []
        for _ in range(3):
            epochs.append([])
            while True:
                try:
                    epochs[-1].append(np.array(pipe.run()[0].as_array()).tolist())
                except StopIteration:
                    break
            pipe.reset()
        found.append(epochs)
    assert found[0] == found[1]
