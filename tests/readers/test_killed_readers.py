"""Every reader while workers are killed and their number changes: no sample is lost, repeated or replaced."""

from __future__ import annotations

import killed_readers
import pytest
from every_reader import readers_samples
from processes import run_program
from samples import COUNT


@pytest.mark.parametrize("order", [{}, {"random_shuffle": True}], ids=["as they lie", "shuffled"])
def test_every_sample_comes_in_its_turn(tmp_path, order):
    result = run_program(killed_readers.run, str(tmp_path / "data"), order)
    assert result["kills"] >= 4 and set(result["found"]) == set(readers_samples())
    for name, found in result["found"].items():
        expected = result["expected"][name]
        assert len(found) == killed_readers.BATCHES * killed_readers.BATCH and len(set(expected)) == COUNT, name
        passes = [found[at : at + COUNT] for at in range(0, len(found), COUNT)]
        if order:
            assert all(sorted(one) == sorted(expected) for one in passes) and passes[0] != passes[1], name
        else:
            assert all(one == expected for one in passes), name
