"""What workers have of the process that started them: random numbers, and garbage."""

from __future__ import annotations

import gc
import os
import pathlib
import random
import sys
import time
import types
import warnings
import weakref

import numpy as np
from process_programs import make_pipe, run


class Generator:
    """Stands for PyTorch's default generator: `seed` gives it a new state."""

    state = 7

    def seed(self) -> int:
        self.state = int.from_bytes(os.urandom(7), "little")
        return self.state


class Drawn:
    """Draws from each global generator. Refers to the program's modules, so that fresh workers import NumPy."""

    def __call__(self, info):
        time.sleep(0.01)
        torch = sys.modules.get("torch")
        of_torch = 0 if torch is None else torch.default_generator.state
        return np.array([os.getpid(), np.random.randint(1 << 60), random.getrandbits(60), of_torch])


def draws(start_method: str, bit_generator: str) -> list:
    """Returns what the workers drew: [pid, of NumPy, of Python, of PyTorch]."""
    torch = types.ModuleType("torch")
    torch.default_generator = Generator()
    sys.modules["torch"] = torch
    np.random.set_bit_generator(getattr(np.random, bit_generator)(7))
    random.seed(7)
    rows: list = []
    with make_pipe(Drawn(), start_method, batch=8) as pipe:
        while len({pid for pid, *_ in rows}) < 2:  # the other worker may take longer to start
            rows += run(pipe)
    return rows


def _notes(path: str) -> str:
    with open(path, "a") as file:
        file.write(f"{os.getpid()}\n")
    return path


class WithFinalizer:
    def __init__(self, path: str):
        self.me, self.path = self, path

    def __del__(self):
        _notes(self.path)


class Referred:
    """Noted by a weak reference's callback or a `weakref.finalize` when it goes."""

    def __init__(self):
        self.me = self


class WithOpenFile:
    """Has text that Python has not written yet."""

    def __init__(self, path: str):
        self.me, self.file = self, open(path, "a")
        self.file.write(f"{os.getpid()}\n")


def _waiting(path: str):
    try:
        yield
    finally:
        _notes(path)


class WithGenerator:
    def __init__(self, path: str):
        self.me, self.generator = self, _waiting(path)
        next(self.generator)


class Collects:
    """Keeps something per sample, as a cache does, and collects garbage."""

    def __init__(self):
        self.kept: list[list[int]] = []

    def __call__(self, info):
        self.kept += [[number] for number in range(3000)]
        gc.collect()
        return np.array([info.idx_in_epoch])


def garbage(start_method: str, folder: str) -> dict:
    """Makes garbage that only a full collection finds, and lets workers collect theirs.

    Returns:
        The process that finalised each kind, by the kind's name; and `parent`.
    """
    paths = {name: str(pathlib.Path(folder, name)) for name in ("del", "reference", "finalize", "file", "generator")}
    made = [WithFinalizer(paths["del"]), WithOpenFile(paths["file"]), WithGenerator(paths["generator"])]
    referred = Referred()
    kept = weakref.ref(referred, lambda _: _notes(paths["reference"]))
    weakref.finalize(referred, _notes, paths["finalize"])
    made.append(referred)
    warnings.simplefilter("ignore", ResourceWarning)  # of the open file
    gc.collect()  # they become old
    del made, referred
    with make_pipe(Collects(), start_method) as pipe:
        for _ in range(6):
            run(pipe)
        pipe.reset()
    gc.collect()
    assert kept() is None
    found = {name: [int(line) for line in pathlib.Path(path).read_text().split()] for name, path in paths.items()}
    return {"parent": os.getpid(), "found": found}
