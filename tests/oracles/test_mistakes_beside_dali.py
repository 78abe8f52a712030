"""The classes of errors that tests/pipeline/test_mistakes.py expects are those of NVIDIA's DALI."""

from __future__ import annotations

import importlib

import pytest
from beside_dali import load
from mistakes import MISTAKES

# DALI's pipelines that could not be made fail once more when they are freed.
pytestmark = [pytest.mark.dali, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]


@pytest.mark.parametrize("name", MISTAKES)
def test_the_class_is_dalis(name):
    mistake, error = MISTAKES[name]
    dali = load("nvidia.dali")
    importlib.import_module("nvidia.dali.plugin.jax")
    with pytest.raises(error) as raised:
        mistake(dali)
    assert type(raised.value) is error, repr(raised.value)
