"""Memory that batches free stays with the process, unless the user says otherwise."""

import os
import subprocess
import sys

import pytest

# Three blocks are alive at once, like the outputs of batches. Counts their pages that are new, in twenty turns.
_PROGRAM = """
import resource, sys, threading, numpy as np
from jaxdali._run.executor.device_io.freed_memory import keep_freed_memory
size = int(sys.argv[1]) << 20
def turns(count):
    for _ in range(count):
        blocks = [np.ones(size, np.uint8) for _ in range(3)]
        del blocks
def measure():
    turns(3)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    turns(20)
    print(kept, resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
kept = keep_freed_memory()
thread = threading.Thread(target=measure)
thread.start() if sys.argv[2] == "thread" else measure()
"""
_PAGES = 20 * 3 * (3 << 20) // 4096


def _run(size: int = 3, thread: str = "main", **said: str) -> tuple[bool, int]:
    kept, faults = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(size), thread],
        env=os.environ | said,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    return kept == "True", int(faults)


def test_pages_do_not_come_anew():
    kept, faults = _run()
    assert kept and faults < _PAGES // 20


def test_nor_do_they_in_threads_whose_blocks_fill_several_heaps():
    kept, faults = _run(29, "thread")
    assert kept and faults < 20  # otherwise each turn would take several, even of large pages


@pytest.mark.parametrize(
    "said",
    [{"MALLOC_TRIM_THRESHOLD_": "131072"}, {"GLIBC_TUNABLES": "glibc.malloc.trim_threshold=131072"}],
    ids=["variable", "tunable"],
)
def test_what_the_user_says_holds(said):
    kept, faults = _run(**said)
    assert not kept and faults > _PAGES // 4
