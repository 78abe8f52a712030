"""File descriptors are only numbers: which ones jaxdali takes, and what they may refer to by the time they are used."""

from __future__ import annotations

import itertools
import json
import os

import descriptor_programs
import numpy as np
import pytest
from processes import run_program, start_program
from tiers import gate

from jaxdali._feed import _host
from jaxdali._feed.processes.descriptors import Kept, above_standard

METHODS = [None, "fork", "spawn", "forkserver"]
MIB = 1 << 20


@pytest.mark.parametrize(
    ("method", "closed"),
    gate(
        itertools.product(METHODS, ([2], [0], [0, 1, 2])),
        [(None, [0, 1, 2]), ("fork", [0, 1, 2]), ("spawn", [0]), ("spawn", [2]), ("forkserver", [0, 1, 2])],
    ),
    ids=str,
)
def test_nothing_of_ours_is_among_the_standard_descriptors(method, closed):
    result = run_program(descriptor_programs.standard_closed, method, closed)
    assert result == {"rows": [[4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3] for k in range(3)], "ours": []}


@pytest.mark.parametrize("method", gate(METHODS, [None, "fork"]))
def test_a_slot_does_not_grow_in_somebody_elses_file(method):
    with start_program(descriptor_programs.descriptors_taken, method) as process:
        output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    result = json.loads(output.splitlines()[-1])
    assert result["rows"] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert (result["name"], result["bytes"]) == ("WorkerError", 0)
    if method is None:
        assert "was that of a ring's shared memory, and other code in this process closed it" in result["text"]
    else:
        assert "its source closed descriptors that are not its own" in result["text"]


def test_the_number_of_a_rings_memory_is_looked_at_before_it_is_used(tmp_path):
    ring = _host.Ring.create(1, 1, 1, 4, 1, 1 << 30)
    slot = ring.take_free()
    ring.publish(slot, 1, 0, 0, 0, 4, [(False, None)])
    number = ring.data_fd
    with open(tmp_path / "precious", "w+b") as precious:
        os.dup2(precious.fileno(), number)
        assert ring.write(slot, 0, 0, (np.zeros(8, np.uint8),)) == -1, "what has its memory is written"
        with pytest.raises(RuntimeError, match=rf"descriptor {number} was that of a ring's shared memory"):
            ring.write(slot, 0, 0, (np.zeros(3 * MIB, np.uint8),))
        with pytest.raises(RuntimeError, match="other code in this process closed it"):
            _ = ring.data_fd
        del ring
        assert os.fstat(precious.fileno()).st_size == 0
        assert os.fstat(number).st_ino == os.fstat(precious.fileno()).st_ino, "it was not closed either"
        os.close(number)


def test_a_kept_descriptor_is_closed_only_while_it_is_the_same(tmp_path):
    kept = Kept(os.open(os.devnull, os.O_RDONLY), "a device")
    number = kept.number
    with open(tmp_path / "other", "wb") as other:
        os.dup2(other.fileno(), number)
    with pytest.raises(OSError, match=f"descriptor {number} was that of a device, and other code"):
        _ = kept.number
    kept.close()
    os.close(number)
    kept.close()


def test_above_standard_leaves_alone_what_is_above():
    fd = os.open(os.devnull, os.O_RDONLY)
    assert above_standard(fd) == fd
    os.close(fd)
