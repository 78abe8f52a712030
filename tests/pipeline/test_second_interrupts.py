"""Interrupts that come while an earlier one is being handled."""

from __future__ import annotations

import contextlib
import signal

import pytest
from test_handlers import DYING, Signals, handled, pipeline

from jaxdali._base.interruptions import left_a_generator
from jaxdali._feed.ring import inline
from jaxdali._feed.source import iterables
from jaxdali.errors import SourceDataError


@pytest.mark.parametrize("at", ["first", "second"])
@pytest.mark.parametrize("source", ["generator function", "cycle", "zip", "iterator over one"])
def test_nor_is_it_an_end_if_another_interrupt_comes_before_the_first_one_is_looked_at(source, at, monkeypatch):
    module, interrupts = (iterables if at == "first" else inline), [1]

    def look(error):
        if interrupts:
            interrupts.pop()
            signal.raise_signal(signal.SIGUSR1)
        return left_a_generator(error)

    monkeypatch.setattr(module, "left_a_generator", look)
    with handled(signal.default_int_handler), pipeline(DYING[source](Signals())) as pipe:
        seen = []
        with pytest.raises(SourceDataError, match=r"was broken off by .* inside a generator"):
            for _ in range(20):
                with contextlib.suppress(KeyboardInterrupt):
                    seen.append(int(pipe.run()[0].as_array()[0, 0]))
        assert seen == list(range(5))
        pipe.reset()
        assert [int(pipe.run()[0].as_array()[0, 0]) for _ in range(7)] == list(range(7))
