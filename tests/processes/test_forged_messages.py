"""A callback that writes to its worker's socket can only end its worker."""

from __future__ import annotations

import functools

import forged_programs
import pytest
from processes import run_several


@functools.cache
def results():
    found = run_several(forged_programs.forge, [(name,) for name in forged_programs.FORGED])
    return dict(zip(forged_programs.FORGED, found, strict=True))


@pytest.mark.parametrize("name", forged_programs.FORGED)
def test_a_worker_that_sends_what_is_no_message_is_named_and_replaced(name):
    result = results()[name]
    assert result["seen"] == [0, 4]
    assert "died by signal 9 (SIGKILL), after it sent an invalid message" in result["text"]
    assert "4 workers died of it (worker_restarts)" in result["text"] and "sample 9," in result["text"]
    assert result["code"] == -9
    assert result["grown"] < 64 << 20
    assert result["after"] == [1, 0, 0]
