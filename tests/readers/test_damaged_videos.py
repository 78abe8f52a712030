"""Damaged videos are errors that name the file, in bounded time and memory; many clips take no more memory than few."""

from __future__ import annotations

import damaged_videos
import many_clips
import pytest
from processes import run_program


@pytest.mark.parametrize(("seed", "count"), [(0, 32), pytest.param(1, 1500, marks=pytest.mark.thorough)])
def test_damaged_videos_are_read_or_are_errors(seed, count):
    found = run_program(damaged_videos.run, seed, count)
    assert found["files"] > count / 2 and min(found["read"], found["errors"]) > count / 6
    assert found["packed"] > count / 6
    assert found["most_mib"] < 400


@pytest.mark.thorough
@pytest.mark.parametrize("packed", [False, True])
def test_ten_thousand_clips_take_no_more_memory_than_a_thousand(packed):
    found = run_program(many_clips.run, 10_000, packed)
    assert not packed or found["packed"] > 3000
    assert found["descriptors"] <= found["descriptors_early"]
    assert found["mib"] < found["mib_early"] + 8
