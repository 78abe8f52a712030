"""Readers of URLs keep a thread in their process; tests of other files are to be alone."""

import pytest

from jaxdali.storage.loop import end


@pytest.fixture(autouse=True, scope="module")
def _no_thread_is_left():
    yield
    end()
