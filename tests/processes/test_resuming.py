"""A source that continues where it stood also does so after an error that is not its own."""

from __future__ import annotations

import resuming_sources
from processes import run_program


def test_an_iterable_loses_nothing_when_other_workers_die():
    result = run_program(resuming_sources.beside_dying_workers)
    assert "2 workers died of it" in result["error"]
    assert result["seen"] == list(range(6))


def test_a_batch_that_was_asked_for_in_the_epoch_before_is_given_no_wrong_place():
    result = run_program(resuming_sources.dies_in_the_next_epoch)
    # It was requested as iteration 6 of epoch 0, and would have come as iteration 2 of epoch 1.
    assert result["taken"] == 2
    assert result["place"] == [None, None, None]
    assert "it was working on the next batch; the DiesAtSix object cannot be restarted" in result["text"]
