"""Configurations of JAX that a user may have set, none of which may change a key or a draw."""

from __future__ import annotations

import jax
import pytest

CONFIGURATIONS = [
    pytest.param(lambda: jax.default_prng_impl("rbg"), id="rbg"),
    pytest.param(lambda: jax.enable_x64(True), id="x64"),
    pytest.param(lambda: jax.threefry_partitionable(False), id="not partitionable"),
]
