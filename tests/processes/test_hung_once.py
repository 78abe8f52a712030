"""A worker that hung is replaced by one that gets the full time again."""

from __future__ import annotations

import hang_once_sources
from processes import run_program


def test_the_time_of_a_hung_worker_is_not_counted_against_the_next_one(tmp_path):
    result = run_program(hang_once_sources.hang_once, str(tmp_path))
    assert result == {"batches": [[0, 0], [1, 1], [2, 2]], "deaths": 1}
