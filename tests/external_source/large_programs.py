"""One sample of more than 2 GiB."""

from __future__ import annotations

import pathlib

import numpy as np
from es_tools import STOP, make, numbers

from jaxdali._cli.machine import cgroup_memory

SIZE = (1 << 31) + 4097
# The slot takes the next power of two. The source's own array takes little: most of it is one page of zeros.
NEEDED = (4 << 30) + (1 << 30)
# Bytes that are not zero: at both ends, and around the limit of 31 bits and that limit plus a page.
MARKS = {
    0: 1,
    1: 2,
    (1 << 31) - 2: 3,
    (1 << 31) - 1: 4,
    1 << 31: 5,
    (1 << 31) + 1: 6,
    (1 << 31) + 4095: 7,
    (1 << 31) + 4096: 8,
}


# The share of a container's limit that the suite's own processes may have taken.
SUITE = 3 << 30


def available() -> int:
    """Returns the bytes of memory that are available: on the machine, and within a container's limit."""
    lines = pathlib.Path("/proc/meminfo").read_text().splitlines()
    free = next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    limit = cgroup_memory()
    return free if limit is None else min(free, limit - SUITE)


def source(info):
    if info.iteration > 0:
        raise StopIteration
    sample = np.zeros(SIZE, np.uint8)
    for position, value in MARKS.items():
        sample[position] = value
    return sample


def large(start_method) -> dict:
    """Returns what came out, without reading all of it twice."""
    with make(source, start_method=start_method, workers=1, batch_size=1, depth=1, batch=False) as pipe:
        (output,) = pipe.run()
        sample = output.at(0)
        result = {
            "shape": sample.shape,
            "dtype": str(sample.dtype),
            "marks": [[position, int(sample[position])] for position in MARKS],
            "others": int(np.count_nonzero(sample)) - len(MARKS),
        }
        del output, sample
        assert numbers(pipe) == STOP
    return result
