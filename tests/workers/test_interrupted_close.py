"""Ctrl-C while workers are ended: the second `close` does the rest, or the last reference."""

from __future__ import annotations

import interrupted_close_programs
import pytest
from programs import run_program


@pytest.mark.parametrize(("start_method", "tried"), [("fork", 30), ("spawn", 12), ("forkserver", 12)])
def test_an_interrupted_close_leaves_no_process(start_method, tried):
    places, left = run_program(interrupted_close_programs.close_everywhere, start_method, tried)
    assert places > 12 and left == []
