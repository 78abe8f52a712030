"""Runs a Loader over several devices, or over one of them in one process of several: `multi_gpu_measure.py TASK`.

It prints a line of JSON with the fingerprints of its first batches, and for each line that it reads one with its rate.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import sys
import time
from typing import Any

from multi_gpu_task import FEW, Task
from processes import cpu_s, descendants, end

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "examples"))

# Batches that use up those made ahead.
WARM = 32


def fingerprints(batches: Any, count: int) -> list[str]:
    import jaxdali

    return [jaxdali.fingerprint(next(batches)) for _ in range(count)]


def check_resume(task: Any, state: Any, expected: list[str]) -> None:
    """Checks that a Loader on one device goes on as one on several did."""
    import resnet50_feeds as feeds
    import resnet50_model as model

    with feeds.make_loader(dataclasses.replace(task, sharding=model.make_shardings(1)[0])) as loader:
        loader.set_state(state)
        if (found := fingerprints(iter(loader), len(expected))) != expected:
            raise SystemExit(f"on one device it goes on with other batches: {found}, not {expected}")


def main() -> None:
    # Redirects what libraries print, because this process's output must be lines of JSON.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    task = Task.from_text(sys.argv[1])
    import jax

    if task.port:
        own = None if os.environ.get("JAX_PLATFORMS") == "cpu" else [task.process]
        jax.distributed.initialize(f"localhost:{task.port}", task.devices, task.process, local_device_ids=own)
    import resnet50_feeds as feeds
    import resnet50_model as model

    import jaxdali

    cut, _ = model.make_shardings(task.devices)
    size, workers = (task.size, task.size), task.workers * (1 if task.port else task.devices)
    data, batch_size = jaxdali.source.ImageFolder(task.folder), task.devices * task.batch_size
    given = feeds.Task(data, batch_size, size, workers, task.decoder, None, cut)
    began = time.perf_counter()
    with feeds.make_loader(given) as loader:
        batches = iter(loader)
        jax.block_until_ready(next(batches))
        said = {"device": jax.devices()[0].device_kind, "first_s": time.perf_counter() - began}
        state = loader.get_state()
        said["fingerprints"] = fingerprints(batches, FEW)
        if not task.port and task.devices > 1:
            check_resume(given, state, said["fingerprints"])
        print(json.dumps(said), file=answers)
        for _ in sys.stdin:
            for _ in range(WARM):
                jax.block_until_ready(next(batches))
            others = descendants()
            cpu, began = cpu_s(others), time.perf_counter()
            for _ in range(task.batches):
                jax.block_until_ready(next(batches))
            found = {"s": time.perf_counter() - began, "cpu_s": cpu_s(others) - cpu}
            found["device_bytes"] = (jax.local_devices()[0].memory_stats() or {}).get("peak_bytes_in_use", 0)
            print(json.dumps(found), file=answers)
    end(descendants())


if __name__ == "__main__":
    main()
