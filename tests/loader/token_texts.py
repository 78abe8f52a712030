"""Texts for the Loader's buckets and packed rows. Workers import this file, so it imports no jax."""

from __future__ import annotations

import os
import signal

import numpy as np

LENGTHS = np.random.default_rng(5).integers(1, 17, 72)
WIDTHS = (4, 8, 16)


class Texts:
    """Text k has LENGTHS[k] tokens: 1000 k, 1000 k + 1, ...

    Args:
        killed: a path. A worker that reads text k of `fatal` makes the file `killed`-k and is killed, unless that file
            exists. None: no worker is killed.
        fatal: numbers of texts.
        plain: samples are the tokens alone, else `{"ids": ..., "k": the number}`.
    """

    def __init__(self, killed: str | None = None, fatal: tuple[int, ...] = (), plain: bool = False):
        self.killed, self.fatal, self.plain = killed, fatal, plain
        self.home = os.getpid()

    def __len__(self) -> int:
        return len(LENGTHS)

    def __getitem__(self, index: int):
        path = f"{self.killed}-{index}"
        if index in self.fatal and os.getpid() != self.home and not os.path.exists(path):
            open(path, "x").close()
            os.kill(os.getpid(), signal.SIGKILL)
        ids = 1000 * index + np.arange(LENGTHS[index], dtype=np.int32)
        return ids if self.plain else {"ids": ids, "k": np.int32(index)}
