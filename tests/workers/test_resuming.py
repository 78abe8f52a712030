"""A source that goes on where it stood does so also after an error that is not its own."""

from __future__ import annotations

import resuming_sources
from programs import run_program


def test_an_iterable_loses_nothing_when_other_workers_die():
    result = run_program(resuming_sources.beside_dying_workers)
    assert "2 workers died at it" in result["error"]
    assert result["seen"] == list(range(6))
