"""Pipelines whose threads and workers are inspected from outside; each program runs in its own process."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import threading
import time
import warnings

import numpy as np
from jpeg_files import pillow_jpeg
from processes import until

from jaxdali import fn, pipeline_def

MASKS = ("DALI_AFFINITY_MASK", "JAXDALI_AFFINITY_MASK")


def set_masks(decode: str | None = None, workers: str | None = None) -> None:
    for name, value in zip(MASKS, (decode, workers), strict=True):
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


def cpus_of_tasks(pid: int | str) -> dict[str, list[int]]:
    """Returns the CPUs of each thread of a process."""
    found = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(ProcessLookupError):
            found[task] = sorted(os.sched_getaffinity(int(task)))
    return found


class Watching:
    """Collects the CPUs of this process's threads, except those that may run on all CPUs."""

    def __init__(self) -> None:
        self.seen: set[tuple[int, ...]] = set()
        self._all = sorted(os.sched_getaffinity(0))
        self._stop = False
        self._thread = threading.Thread(target=self._watch)

    def _watch(self) -> None:
        while not self._stop:
            self.seen |= {tuple(cpus) for cpus in cpus_of_tasks("self").values() if cpus != self._all}
            time.sleep(0.0005)

    def __enter__(self) -> Watching:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop = True
        self._thread.join()


def decode(mask: str | None, threads: int | None, set_affinity: bool, expected: list[list[int]], fused: bool) -> dict:
    """Decodes at least twenty batches, and until the expected sets of CPUs were seen."""
    file = np.frombuffer(pillow_jpeg(300, 400), np.uint8)
    set_masks(mask)

    @pipeline_def(batch_size=16, num_threads=threads, seed=0, set_affinity=set_affinity)
    def pipe():
        images = fn.decoders.image(fn.external_source(lambda info: file, batch=False))
        return fn.resize(images, size=(32, 32)) if fused else images

    wanted = {tuple(cpus) for cpus in expected}
    with warnings.catch_warnings(record=True) as said, Watching() as watching, pipe() as built:
        warnings.simplefilter("always")
        end, batches = time.monotonic() + 60, 0
        while batches < 20 or (not wanted <= watching.seen and time.monotonic() < end):
            built.run()
            batches += 1
    everything = sorted(os.sched_getaffinity(0))
    # Batches that were prepared ahead are still being decoded.
    until(lambda: all(cpus == everything for cpus in cpus_of_tasks("self").values()))
    return {"seen": sorted(map(list, watching.seen)), "warnings": [str(warning.message) for warning in said]}


def workers(start_method: str, mask: str | None, count: int, set_affinity: bool) -> dict:
    """Returns the CPUs of each worker, in the order of their ids, before and after one was killed; checks that a source
    running in a worker sees the same CPUs.
    """
    set_masks(None, mask)
    logging.disable()  # the death is logged

    def where(info: object) -> np.ndarray:
        time.sleep(0.001)  # so that there is work left for all workers
        return np.array([os.getpid(), sum(1 << cpu for cpu in os.sched_getaffinity(0))], np.int64)

    @pipeline_def(batch_size=2 * count, py_num_workers=count, py_start_method=start_method, set_affinity=set_affinity)
    def pipe():
        return fn.external_source(where, batch=False, parallel=True)

    def look() -> list[list[list[int]]]:
        """Waits until all workers have made samples: by then their CPUs are final."""
        masks: dict[int, int] = {}

        def all_work() -> bool:
            (seen,) = built.run()
            masks.update((int(pid), int(mask)) for pid, mask in seen.as_array())
            return len(pids := built._jaxdali_session.feeds[0].producer.pids) == count and set(pids.values()) <= set(
                masks
            )

        until(all_work)
        pids = built._jaxdali_session.feeds[0].producer.pids
        assert all(masks[pid] == sum(1 << cpu for cpu in os.sched_getaffinity(pid)) for pid in pids.values())
        return [[list(x) for x in {tuple(c) for c in cpus_of_tasks(pids[i]).values()}] for i in sorted(pids)]

    with warnings.catch_warnings(record=True) as said, pipe() as built:
        warnings.simplefilter("always")
        before = look()
        victim = built._jaxdali_session.feeds[0].producer.pids[0]
        os.kill(victim, signal.SIGKILL)
        until(lambda: built.run() and built._jaxdali_session.feeds[0].producer.pids.get(0, victim) != victim)
        after = look()
    return {"before": before, "after": after, "warnings": [str(warning.message) for warning in said]}
