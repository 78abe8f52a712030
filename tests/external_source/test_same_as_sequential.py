"""Random sources in random pipelines: workers change neither the results nor where the data end or fail."""

from __future__ import annotations

import property_programs
import pytest
from processes import run_program
from tiers import gate


@pytest.mark.parametrize(
    ("start_method", "examples"),
    gate([("fork", 150), ("fork", 50), ("forkserver", 15), ("spawn", 8)], [("fork", 50), ("forkserver", 15)]),
)
def test_workers_give_what_the_sequential_source_gives(start_method, examples):
    counts = run_program(property_programs.compare, start_method, examples, 30, timeout_s=400)
    assert counts["cases"] == examples
    # Not all of them were empty, endless or wrong.
    assert counts["batches"] > examples and counts["ends"] > examples / 2 and counts["errors"] > examples / 4
