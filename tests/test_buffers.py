"""DALI's settings for growing and shrinking buffers: values, errors, the environment."""

from __future__ import annotations

import functools
import math
import types

import numpy as np
import pytest

from jaxdali import backend
from jaxdali._base import buffer_growth as buffers
from jaxdali._device.ffi import cuda
from jaxdali._feed import _host
from jaxdali.errors import ConfigError

SETTINGS = ("HOST_GROWTH", "DEVICE_GROWTH", "HOST_SHRINK")


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    for name in SETTINGS:
        monkeypatch.setattr(getattr(buffers, name), "_value", None)
    for variable in (
        "HOST_BUFFER_SHRINK_THRESHOLD",
        *(f"{kind}BUFFER_GROWTH_FACTOR" for kind in ("HOST_", "DEVICE_", "")),
    ):
        monkeypatch.delenv(f"DALI_{variable}", raising=False)
    yield
    _host.set_buffers(1.0, 0.9)


def values() -> tuple[float, float, float]:
    get = backend.GetHostBufferGrowthFactor, backend.GetDeviceBufferGrowthFactor, backend.GetHostBufferShrinkThreshold
    return get[0](), get[1](), get[2]()


@pytest.mark.parametrize(
    ("name", "accepted", "refused", "words"),
    [
        ("HostBufferGrowthFactor", (1, 1.5, np.float32(4)), (0.99, 4.1, -1, math.inf, math.nan), "between 1 and 4"),
        ("DeviceBufferGrowthFactor", (1, True, 4), (0, 20), "between 1 and 4"),
        (
            "HostBufferShrinkThreshold",
            (0, 0.25, 1),
            (-0.1, 1.5, math.nan),
            r"between 0 \(never shrink\) and 1 \(always",
        ),
    ],
)
def test_what_is_set_is_what_is_got_and_what_is_refused_changes_nothing(name, accepted, refused, words):
    get, put = getattr(backend, f"Get{name}"), getattr(backend, f"Set{name}")
    for value in accepted:
        put(value)
        assert get() == value and isinstance(get(), float)
    for value in refused:
        with pytest.raises(ConfigError, match=words):
            put(value)
    for value in ("2", None, 1j):
        with pytest.raises(TypeError, match="must be a number"):
            put(value)
    assert get() == accepted[-1]


def test_the_factor_of_both():
    backend.SetBufferGrowthFactor(2)
    assert values() == (2, 2, 0.9)
    with pytest.raises(ValueError, match="between 1 and 4"):
        backend.SetBufferGrowthFactor(5)
    assert values() == (2, 2, 0.9)


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, (1, 1.1, 0.9)),
        ({"BUFFER_GROWTH_FACTOR": "2"}, (2, 2, 0.9)),
        ({"BUFFER_GROWTH_FACTOR": "2", "HOST_BUFFER_GROWTH_FACTOR": "3"}, (3, 2, 0.9)),
        ({"DEVICE_BUFFER_GROWTH_FACTOR": "1.5", "HOST_BUFFER_SHRINK_THRESHOLD": "0"}, (1, 1.5, 0)),
    ],
)
def test_the_environment_holds_until_something_is_set(monkeypatch, environment, expected):
    for name, value in environment.items():
        monkeypatch.setenv(f"DALI_{name}", value)
    assert values() == expected
    backend.SetBufferGrowthFactor(1.25)
    assert values() == (1.25, 1.25, expected[2])


@pytest.mark.parametrize(
    ("value", "words"), [("9", "DALI_BUFFER_GROWTH_FACTOR=9: Growth factor must be between"), ("x", "number, got 'x'")]
)
def test_a_variable_that_cannot_be_is_an_error(monkeypatch, value, words):
    monkeypatch.setenv("DALI_BUFFER_GROWTH_FACTOR", value)
    with pytest.raises(ConfigError, match=words):
        backend.GetHostBufferGrowthFactor()


def test_the_engines_of_gpus_are_told(monkeypatch):
    told: list[float] = []
    module = types.SimpleNamespace(set_growth_factor=told.append)
    found = functools.cache(lambda: (module, ""))
    monkeypatch.setattr(cuda, "_find", found)
    backend.SetDeviceBufferGrowthFactor(1.5)
    assert told == [], "nobody has looked for the module yet"
    found()
    backend.SetDeviceBufferGrowthFactor(3)
    backend.SetBufferGrowthFactor(2)
    assert told == [3, 2]
