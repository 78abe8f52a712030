"""Memory that batches leave behind stays with the process, unless the user says otherwise."""

import os
import subprocess
import sys

import pytest

# Three blocks are alive at once, as outputs of batches are: how many of their pages come anew in twenty turns.
_PROGRAM = """
import resource, numpy as np
from jaxdali.executor.freed_memory import keep_freed_memory
def turn():
    blocks = [np.ones(3 << 20, np.uint8) for _ in range(3)]
kept = keep_freed_memory()
for _ in range(3):
    turn()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    turn()
print(kept, resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
_PAGES = 20 * 3 * (3 << 20) // 4096


def _run(**said: str) -> tuple[bool, int]:
    kept, faults = subprocess.run(
        [sys.executable, "-c", _PROGRAM], env=os.environ | said, capture_output=True, text=True, check=True
    ).stdout.split()
    return kept == "True", int(faults)


def test_pages_do_not_come_anew():
    kept, faults = _run()
    assert kept and faults < _PAGES // 20


@pytest.mark.parametrize(
    "said",
    [{"MALLOC_TRIM_THRESHOLD_": "131072"}, {"GLIBC_TUNABLES": "glibc.malloc.trim_threshold=131072"}],
    ids=["variable", "tunable"],
)
def test_what_the_user_says_holds(said):
    kept, faults = _run(**said)
    assert not kept and faults > _PAGES // 4
