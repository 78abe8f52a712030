"""All readers in one pipeline, some of whose workers are killed. Runs in a program of its own."""

from __future__ import annotations

import contextlib
import logging
import os
import pathlib
import random
import signal
from typing import Any

from every_reader import every_reader
from samples import COUNT
from told_samples import told

from jaxdali import fn, pipeline_def
from jaxdali._base import cpus

BATCH, BATCHES = 5, 24


def run(folder: str, order: dict[str, Any]) -> dict[str, Any]:
    """Returns what each reader gives in `BATCHES` batches while workers are killed and their number changes, and the
    data that are expected. Checkpoints continue with 2, 1, 3 and no workers.
    """
    logging.getLogger("jaxdali").setLevel(logging.CRITICAL)  # warns about each death
    cpus.usable_cpus = lambda: 4  # those that decode have as many processes
    made = every_reader(pathlib.Path(folder))
    expected = {name: [told(one.data.row(index)).hex() for index in range(COUNT)] for name, one in made.items()}
    found: dict[str, list[str]] = {name: [] for name in made}
    checkpoint, kills, chance = None, 0, random.Random(3)
    for workers in (2, 1, 3, 0):

        @pipeline_def(batch_size=BATCH, py_num_workers=workers, seed=4, enable_checkpointing=True, worker_restarts=100)
        def every():
            outputs = []
            for one in made.values():
                given = getattr(fn.readers, one.reader)(**one.arguments, **order)
                outputs += (
                    given.values() if isinstance(given, dict) else given if isinstance(given, list | tuple) else [given]
                )
            return tuple(outputs)

        with every(**({} if checkpoint is None else {"checkpoint": checkpoint})) as pipe:
            for number in range(BATCHES // 4):
                if workers and number % 2:
                    with contextlib.suppress(ProcessLookupError):  # it was killed before, but not yet noticed
                        os.kill(chance.choice(pipe.worker_pids()), signal.SIGKILL)
                        kills += 1
                outputs = iter(pipe.run())
                for name, one in made.items():
                    mine = [next(outputs) for _ in one.data.row(0)]
                    found[name] += [told(output.at(k) for output in mine).hex() for k in range(BATCH)]
            checkpoint = pipe.checkpoint()
    return {"expected": expected, "found": found, "kills": kills}
