"""Hardware queues are asked for when jaxdali is imported, and only where that can have an effect."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from jaxdali._device.ffi import driver, plugin, queues


@pytest.fixture(autouse=True)
def restored(monkeypatch):
    monkeypatch.delenv(queues.VARIABLE, raising=False)
    monkeypatch.setattr(queues, "_in_effect", 0)
    monkeypatch.setattr(plugin, "plugin_major", lambda: 13)


def found(monkeypatch, cuda_has_begun):
    monkeypatch.setattr(driver, "cuda_is_initialized", lambda: cuda_has_begun)
    queues.ask()
    return os.environ.get(queues.VARIABLE), queues.in_effect()


@pytest.mark.parametrize(("cuda_has_begun", "expected"), [(False, ("32", 32)), (True, (None, 8))])
def test_they_are_asked_for_as_long_as_cuda_has_not_begun(monkeypatch, cuda_has_begun, expected):
    assert found(monkeypatch, cuda_has_begun) == expected


@pytest.mark.parametrize(("said", "effect"), [("1", 1), ("16", 16), ("many", 8)])
def test_who_has_said_how_many_is_obeyed(monkeypatch, said, effect):
    monkeypatch.setenv(queues.VARIABLE, said)
    assert found(monkeypatch, True) == (said, effect)


def test_nothing_is_said_where_jax_has_no_cuda(monkeypatch):
    monkeypatch.setattr(plugin, "plugin_major", lambda: None)
    assert found(monkeypatch, False) == (None, 8)


def test_importing_jaxdali_asks(tmp_path):
    (tmp_path / "jax_cuda13_plugin").mkdir()
    (tmp_path / "jax_cuda13_plugin" / "__init__.py").touch()
    program = (
        f"import sys; sys.path.append({str(tmp_path)!r}); import jaxdali, os; print(os.environ[{queues.VARIABLE!r}])"
    )
    environment = {name: value for name, value in os.environ.items() if name != queues.VARIABLE}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == "32"
