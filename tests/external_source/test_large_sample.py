"""A sample whose size does not fit in 31 bits."""

from __future__ import annotations

import large_programs
import pytest
from large_programs import MARKS, NEEDED, SIZE, available
from processes import run_program
from tiers import gate


@pytest.mark.parametrize("start_method", gate([None, "fork"], ["fork"]))
def test_a_sample_above_2_gib_arrives_whole(start_method):
    # With less memory the test would not fail: the kernel would kill it, and perhaps other processes.
    if available() < NEEDED:
        pytest.skip(f"needs {NEEDED >> 20} MiB of memory")
    result = run_program(large_programs.large, start_method)
    assert (result["shape"], result["dtype"]) == ([SIZE], "uint8")
    assert result["marks"] == [[position, value] for position, value in MARKS.items()]
    assert result["others"] == 0
