"""What a mistake raises: an `except` that catches DALI's error catches ours. tests/oracles/test_mistakes_beside_dali.py
makes the same mistakes in DALI.
"""

from __future__ import annotations

import importlib

import pytest
from mistakes import MISTAKES, PYTHONS

import jaxdali
from jaxdali import JaxDaliError, errors

for module in ("fn", "math", "ops", "types", "plugin.jax"):
    importlib.import_module(f"jaxdali.{module}")


@pytest.mark.parametrize("name", MISTAKES)
def test_the_class_is_dalis_and_ours(name):
    mistake, error = MISTAKES[name]
    with pytest.raises(error) as raised:
        mistake(jaxdali)
    assert isinstance(raised.value, JaxDaliError) != (name in PYTHONS), repr(raised.value)
    if isinstance(raised.value, JaxDaliError):
        assert isinstance(raised.value, RuntimeError)


def test_an_error_shows_its_text_and_no_repr():
    for name in errors.__all__:
        kind = getattr(errors, name)
        if isinstance(kind, type) and issubclass(kind, JaxDaliError):
            assert str(kind("one\ntwo")) == "one\ntwo", name
