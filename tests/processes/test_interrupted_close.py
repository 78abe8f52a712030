"""Ctrl-C while workers are ended: the rest is done by a second `close`, or when the last reference goes."""

from __future__ import annotations

import signal
import sys

import interrupted_close_programs
import pytest
from processes import SOON_S, run_program
from tiers import START_METHODS, gate

from jaxdali._feed.processes.interpreter import Child


@pytest.mark.parametrize(
    ("start_method", "tried"), gate([("fork", 30), *((method, 1000) for method in START_METHODS)], [("fork", 30)])
)
def test_an_interrupted_close_leaves_no_process(start_method, tried):
    places, left = run_program(interrupted_close_programs.close_everywhere, start_method, tried)
    assert places > 12 and left == []


def test_the_end_of_a_process_is_seen_though_an_interrupt_left_a_lock_taken():
    child = Child([sys.executable, "-c", "import time; time.sleep(1000)"])
    child._waitpid_lock.acquire()  # as an interrupt before the `try` of `poll` leaves it
    assert child.poll() is None
    child.kill()
    assert child.wait(SOON_S) == child.poll() == -signal.SIGKILL
