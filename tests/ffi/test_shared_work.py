"""A custom call shares its rows over XLA's own pool without ever starving it."""

import os
import subprocess
import sys

import numpy as np
import pytest
from jpeg_files import pillow_jpeg, pillow_pixels

from jaxdali.image import EncodedBatch, decode

# Many independent calls in one program, run from several threads at once: more callers than the
# pool has threads, and each needs helpers. A handler that waits for work that it scheduled hangs.
_PROGRAM = """
import os, sys, threading
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
import jax, jax.numpy as jnp, numpy as np
from jaxdali.image import EncodedBatch, decode
from jpeg_files import pillow_jpeg

callers, calls = int(sys.argv[1]), 16
batches = [EncodedBatch.from_encoded([pillow_jpeg(96 + k, 160)] * 6) for k in range(calls)]

@jax.jit
def program(batches, x):
    sums = []
    for k, batch in enumerate(batches):
        # Rows that are computed: the call then runs where XLA puts it, often on a pool thread.
        rows = batch.rows + jnp.minimum((x * k).sum(), 0).astype(jnp.int32)
        batch = EncodedBatch(batch.bytes, rows, batch.sizes)
        sums.append(decode(batch, (112, 160)).astype(jnp.int32).sum())
    return sums

x = jnp.ones((200, 200))
program = program.lower(batches, x).compile()
expected = [int(x) for x in program(batches, x)]

def name_of(task):
    try:
        return open(f"/proc/self/task/{task}/comm").read()
    except OSError:  # the thread has ended meanwhile
        return ""

pool = [name for name in map(name_of, os.listdir("/proc/self/task")) if "XLAEigen" in name]
assert len(pool) == 2, pool
wrong = []

def call():
    for _ in range(6):
        if [int(x) for x in program(batches, x)] != expected:
            wrong.append(threading.get_ident())

threads = [threading.Thread(target=call) for _ in range(callers)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print("wrong", len(wrong))
"""


@pytest.mark.parametrize("callers", [2, 6])
def test_many_calls_on_a_pool_of_two_threads_finish(callers):
    # XLA takes the size of its pool from NPROC; more devices would make it larger.
    environment = os.environ | {"NPROC": "2", "XLA_FLAGS": "", "JAX_PLATFORMS": "cpu"}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, "-P", "-c", _PROGRAM, str(callers)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (0, "wrong 0\n"), done.stderr


@pytest.mark.parametrize("threads", [0, 1, 2, 1000])
def test_every_row_is_decoded_once_whatever_the_number_of_threads(threads):
    files = [pillow_jpeg(16 + k, 24) for k in range(37)]
    pixels = np.asarray(decode(EncodedBatch.from_encoded(files), threads=threads))
    for k, file in enumerate(files):
        np.testing.assert_array_equal(pixels[k, : 16 + k], pillow_pixels(file))
