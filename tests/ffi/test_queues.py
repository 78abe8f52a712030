"""Hardware queues are asked for when jaxdali is imported, and only where that can have an effect."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys

import pytest

from jaxdali._ffi import plugin, queues


@pytest.fixture(autouse=True)
def restored(monkeypatch):
    monkeypatch.delenv(queues.VARIABLE, raising=False)
    monkeypatch.setattr(queues, "_in_effect", 0)
    monkeypatch.setattr(plugin, "plugin_major", lambda: 13)


class Driver:
    """libcuda, of which somebody has or has not called cuInit."""

    def __init__(self, result):
        self.cuDevicePrimaryCtxGetState = lambda *arguments: result


def found(monkeypatch, driver):
    def load(name, mode):
        assert name == "libcuda.so.1" and mode & os.RTLD_NOLOAD
        if driver is None:
            raise OSError("not loaded")
        return driver

    monkeypatch.setattr(ctypes, "CDLL", load)
    queues.ask()
    return os.environ.get(queues.VARIABLE), queues.in_effect()


@pytest.mark.parametrize(
    ("driver", "expected"),
    [(None, ("32", 32)), (Driver(3), ("32", 32)), (Driver(0), (None, 8)), (Driver(101), (None, 8))],
    ids=["not loaded", "not initialized", "in use", "in use, no such device"],
)
def test_they_are_asked_for_as_long_as_cuda_has_not_begun(monkeypatch, driver, expected):
    assert found(monkeypatch, driver) == expected


@pytest.mark.parametrize(("said", "effect"), [("1", 1), ("16", 16), ("many", 8)])
def test_who_has_said_how_many_is_obeyed(monkeypatch, said, effect):
    monkeypatch.setenv(queues.VARIABLE, said)
    assert found(monkeypatch, Driver(0)) == (said, effect)


def test_nothing_is_said_where_jax_has_no_cuda(monkeypatch):
    monkeypatch.setattr(plugin, "plugin_major", lambda: None)
    assert found(monkeypatch, None) == (None, 8)


def test_importing_jaxdali_asks(tmp_path):
    (tmp_path / "jax_cuda13_plugin").mkdir()
    (tmp_path / "jax_cuda13_plugin" / "__init__.py").touch()
    program = (
        f"import sys; sys.path.append({str(tmp_path)!r}); import jaxdali, os; print(os.environ[{queues.VARIABLE!r}])"
    )
    environment = {name: value for name, value in os.environ.items() if name != queues.VARIABLE}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == "32"
