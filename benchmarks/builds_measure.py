"""A process of `builds.py`: `builds_measure.py SITE` answers each line that it reads, a question, with JSON.

`["prepare", ROW]` is answered with a list: digests of what the row makes; `["time", RUNS]` with the CPU seconds of one run
without what is measured, and of one with it. An answer that is text is an error.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
import os
import pathlib
import sys
import time
from typing import Any

import numpy as np
from catalogue_cases import cases_on
from catalogue_cpu import Pipelines, run
from catalogue_figures import MANY_OF_LONG
from PIL import Image

import jaxdali
from jaxdali._device.ffi import _cpu
from jaxdali._feed import _host

HEIGHT, WIDTH = 375, 500
MOST_PIXELS = 1 << 24


def cpu_s(call: Any, runs: int) -> float:
    begin = time.process_time()
    for _ in range(runs):
        call()
    return (time.process_time() - begin) / runs


class Operator:
    """An operator of the catalogue, in pipelines with one application and with three."""

    def __init__(self, row: str):
        name, use, size = row.split(":")
        self._pipelines = Pipelines("jaxdali", cases_on("cpu")[name][int(use)], size)
        self._pipelines.most = MANY_OF_LONG
        run(self._pipelines.many)

    def digests(self) -> list[str]:
        return [hashlib.sha256(array).hexdigest() for _, samples in self._pipelines.results() for array in samples]

    def time(self, runs: int) -> list[float]:
        return [cpu_s(functools.partial(run, pipe), runs) for pipe in (self._pipelines.few, self._pipelines.many)]

    def close(self) -> None:
        self._pipelines.close()


class File:
    """A file that workers decode natively, without Pillow."""

    def __init__(self, kind: str):
        y, x = np.mgrid[:HEIGHT, :WIDTH]
        waves = [127 + 90 * np.sin(x / 25 + k) * np.cos(y / (27 + k)) for k in range(3)]
        noise = np.random.default_rng(0).normal(0, 4, (HEIGHT, WIDTH, 3))
        stream = io.BytesIO()
        Image.fromarray(np.clip(np.stack(waves, -1) + noise, 0, 255).astype(np.uint8)).save(stream, kind)
        self._file = np.frombuffer(stream.getvalue(), np.uint8)

    def _decode(self) -> np.ndarray:
        pixels = _host.decode_image(self._file, MOST_PIXELS, False)
        assert pixels is not None
        return pixels

    def digests(self) -> list[str]:
        return [hashlib.sha256(self._decode()).hexdigest()]

    def time(self, runs: int) -> list[float]:
        return [0.0, cpu_s(self._decode, runs)]

    def close(self) -> None:
        """Holds nothing."""


def main() -> None:
    # Redirects what libraries print, because this process's output must be lines of JSON.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    site = pathlib.Path(sys.argv[1])
    current = None
    for line in sys.stdin:
        action, value = json.loads(line)
        try:
            for module in (jaxdali, _cpu, _host):
                if not pathlib.Path(module.__file__).is_relative_to(site):
                    raise RuntimeError(f"{module.__file__} is not below {site}")
            if action == "prepare":
                if current is not None:
                    current.close()
                current = File(value) if ":" not in value else Operator(value)
                answer = current.digests()
            else:
                assert current is not None
                answer = current.time(value)
        except Exception as error:  # an operator may raise anything
            answer = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        print(json.dumps(answer), file=answers)
    os._exit(0)  # threads may still be waiting


if __name__ == "__main__":
    main()
