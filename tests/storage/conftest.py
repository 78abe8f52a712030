"""Readers of URLs keep a thread in their process; it is ended so that other files' tests run without it."""

import pytest

from jaxdali._feed.storage.loop import end


@pytest.fixture(autouse=True, scope="module")
def _no_thread_is_left():
    yield
    end()
