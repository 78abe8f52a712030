"""SIGKILL to workers: their work is repeated, and every sample comes once, in order."""

from __future__ import annotations

import kill_programs
import pytest
from processes import run_program
from tiers import gate


@pytest.mark.parametrize(
    ("start_method", "tickets", "deaths", "redone"),
    gate(
        [("fork", 1000, 25, 10), ("fork", 300, 10, 4), ("spawn", 200, 10, 4), ("forkserver", 300, 10, 4)],
        [("fork", 300, 10, 4), ("spawn", 200, 10, 4)],
    ),
)
def test_no_sample_is_lost_or_repeated_while_workers_are_killed(start_method, tickets, deaths, redone):
    result = run_program(kill_programs.massacre, start_method, tickets, deaths, redone)
    assert result["wrong"] == 0 and result["grown"]
    assert result["tickets"] >= tickets
    assert result["deaths"] >= deaths
    assert result["redone"] >= redone
    before, after = result["before"], result["after"]
    assert after["descriptors"] == before["descriptors"]
    assert after["children"] == before["children"] == []


@pytest.mark.parametrize(
    ("start_method", "restarts"), gate([("fork", 3), ("spawn", 1), ("forkserver", 0)], [("fork", 3), ("forkserver", 0)])
)
def test_a_sample_that_kills_every_worker_is_named_when_it_was_tried_often_enough(start_method, restarts, tmp_path):
    result = run_program(kill_programs.always_at_one_sample, start_method, str(tmp_path), restarts)
    assert result["kills"] == 1 + restarts
    assert result["seen"] == list(range(16))
    assert (result["sample"], result["code"]) == (17, -9)
    assert "it was working on samples 16 to 17" in result["text"]
    assert "output 'data', sample 17, iteration 4, epoch 0" in result["text"]


@pytest.mark.parametrize("order", gate([[0, 1], [1, 0]], [[1, 0]]))
def test_of_two_iterators_that_die_the_one_that_is_awaited_is_the_error(order):
    seen = run_program(kill_programs.positions_are_lost, "fork", order)
    assert seen == [[0, 0], [1, 1], 2, 2] * 2


def test_after_an_interrupt_of_reset_another_one_replaces_all_that_died():
    seen = run_program(kill_programs.recovery_is_interrupted, "fork", 8)
    assert seen == [0, 1, -2] * 8
