"""Data for the tests of the two front doors: JPEGs of several sizes, and labels.

Imports no jax, because workers import this file.
"""

from __future__ import annotations

import os
import pathlib
import signal

import numpy as np
from jpeg_files import pillow_jpeg, pillow_pixels

SIZES = [(48, 64), (40, 31), (64, 48), (33, 70), (20, 26), (57, 44)]
FILES = [
    pillow_jpeg(*size, subsampling=k % 3, quality=80 + k, mode="L" if k == 4 else "RGB") for k, size in enumerate(SIZES)
]
BATCHES = 5  # an epoch of `files_and_labels`


def pixels(index: int) -> np.ndarray:
    """The image of a sample, as Pillow decodes it."""
    return pillow_pixels(FILES[index % len(FILES)])


def file(index: int) -> np.ndarray:
    return np.frombuffer(FILES[index % len(FILES)], np.uint8)


def label(index: int) -> np.ndarray:
    return np.array([7 * index], np.int32)


def files_and_labels(info):
    """The tutorial's source: only whole batches, then the end."""
    if info.iteration >= BATCHES:
        raise StopIteration
    return file(info.idx_in_epoch), label(info.idx_in_epoch)


def numbers(info):
    """float32[3], different for every sample of every epoch."""
    return np.array([info.idx_in_epoch, info.idx_in_batch, info.epoch_idx], np.float32)


def of_lengths(index: int):
    """For batches of 4: lengths differ in the first and third batch, and happen to agree in the second."""
    return {"ids": np.full(5 if 4 <= index < 8 else 1 + index, index, np.int32), "y": index}


class Folder:
    """A map-style source of files and labels, nested in a dict."""

    def __len__(self) -> int:
        return 14

    def __getitem__(self, index: int):
        return {"image": FILES[index % len(FILES)], "label": label(index)}


class Rows:
    """A map-style source of numbers."""

    def __init__(self, length: int = 10):
        self.length = length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int):
        return np.array([index, -index], np.int32)


class Mapped:
    """A map-style source of a function's results."""

    def __init__(self, sample, length: int = 8):
        self.sample = sample
        self.length = length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int):
        return self.sample(index)


class Noisy:
    """Indices of samples, and random numbers drawn for them."""

    def __len__(self) -> int:
        return 10

    def __getitem__(self, index: int, rng: np.random.Generator):
        return {"x": np.int32(index), "noise": rng.random(2)}

    def source_info(self, index: int) -> str:
        return f"noisy/{index}"


def draw_again(sample, rng):
    return sample | {"again": rng.random()}


def refuse(sample):
    raise ValueError("no")


ODD = b"\0\xff id"


def named(index):
    """Strings, paths, bytes that are not a file, and None, next to a number."""
    name = "grüße, \0 und \ud800" if index == 3 else f"train/{index}.jpg"
    path = np.str_(name) if index == 5 else name
    return {"x": np.float32(index), "path": path, "id": ODD * index, "more": (pathlib.Path(name[:1]), index or None)}


class Counter:
    """A stream of numbers, 100 higher in every turn; records each sample that it gives.

    Args:
        state: what provides the position: "no" for nothing, the "iterator", or the "data" itself.
    """

    def __init__(self, length: int, state: str, given: list | None = None):
        self.length, self.given = length, given
        self.turn = self.place = self.start = 0
        if state == "iterator":
            self.__class__ = IteratorWithState
        elif state == "data":
            self.__class__ = DataWithState

    def set_epoch(self, epoch: int):
        self.turn = epoch

    def __iter__(self):
        turn, first, self.start = self.turn, self.start, 0
        for number in range(first, self.length):
            self.place = number + 1
            if self.given is not None:
                self.given.append(100 * turn + number)
            yield {"x": np.int32(100 * turn + number), "name": f"n{number}"}


class DataWithState(Counter):
    def state_dict(self):
        return {"place": self.place, "of": (b"\xff", [None, np.int64(3)])}

    def load_state_dict(self, state):
        assert state["of"] == (b"\xff", [None, 3])
        self.start = self.place = state["place"]


class IteratorWithState(Counter):
    def __iter__(self):
        return StateIterator(Counter(self.length, "no", self.given), self.turn)


class StateIterator:
    def __init__(self, counter: Counter, turn: int):
        self.counter = counter
        self.counter.turn = turn
        self.samples = iter(counter)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.samples)

    def get_state(self):
        return self.counter.place

    def set_state(self, state):
        self.counter.start = self.counter.place = state


def numbers_of_turn(epoch):
    yield from Counter.__iter__(_at_turn(epoch))


def _at_turn(turn: int) -> Counter:
    counter = Counter(10, "no")
    counter.set_epoch(turn)
    return counter


def numbers_of_shard(shard_id, num_shards, epoch):
    for number in range(shard_id, 22, num_shards):
        yield {"x": np.int32(100 * epoch + number), "name": f"n{number}"}


def dies_once(path):
    """A function that makes a stream, whose worker is killed at sample 6 unless the file at `path` exists."""

    def stream():
        for number in range(11):
            if number == 6 and not os.path.exists(path):
                open(path, "x").close()
                os.kill(os.getpid(), signal.SIGKILL)
            yield np.int32(number)

    return stream


class SomeMissing:
    """A map-style source whose samples 1, 4, 7, ... have no image."""

    present = tuple(index % 3 != 1 for index in range(12))

    def __len__(self) -> int:
        return len(self.present)

    def __getitem__(self, index: int):
        return {"image": FILES[index % len(FILES)] if self.present[index] else None, "y": index}


class FileLists:
    """A map-style source of lists of files, of one size within a sample, and another file beside them."""

    files = 3

    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: int):
        frames = [FILES[index % len(FILES)]] * self.files if index % 2 else FILES[index % 4 :][: self.files]
        return {"frames": frames, "image": FILES[index % len(FILES)], "y": index}
