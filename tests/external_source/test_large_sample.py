"""A sample that no 31-bit number can count."""

from __future__ import annotations

import large_programs
import pytest
from large_programs import MARKS, NEEDED, SIZE, available
from programs import run_program


@pytest.mark.parametrize("start_method", [None, "fork"])
def test_a_sample_above_2_gib_arrives_whole(start_method):
    assert available() > NEEDED, (
        f"this test needs {NEEDED >> 20} MiB of memory, but only {available() >> 20} MiB are available; end other programs"
    )
    result = run_program(large_programs.large, start_method)
    assert (result["shape"], result["dtype"]) == ([SIZE], "uint8")
    assert result["marks"] == [[position, value] for position, value in MARKS.items()]
    assert result["others"] == 0
