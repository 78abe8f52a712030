"""Arithmetic that rounds step by step."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxdali._device.image.exact_arithmetic import _divided_in_steps, quotient


def test_a_quotient_is_rounded_once_by_each_platforms_way():
    rng = np.random.default_rng(0)
    # Exponents that keep every step a normal number; both signs, equal numbers, zeros, and one divisor for all.
    a, b = (
        (rng.uniform(1, 2, 4096) * 2.0 ** rng.integers(-40, 40, 4096) * rng.choice([-1, 1], 4096)).astype(np.float32)
        for _ in range(2)
    )
    a[:8], b[8:16] = 0, a[8:16]
    divided = jax.jit(
        lambda a, b: (
            quotient(a, b),
            _divided_in_steps(a, b),
            quotient(a, a[9]),
        )
    )
    for found, expected in zip(divided(a, b), (a / b, a / b, a / a[9]), strict=True):
        np.testing.assert_array_equal(found, expected)
        assert not np.signbit(np.asarray(found)[:8]).any()


def test_a_quotient_is_not_another_formula_to_the_compiler():
    rng = np.random.default_rng(1)
    a, b = rng.uniform(1, 2, (2, 4096)).astype(np.float32)
    found = jax.jit(
        lambda a, b: (
            quotient(1, jnp.sqrt(a)),
            quotient(1, quotient(a, b)),
            quotient(quotient(a, b), b),
        )
    )(a, b)
    for one, expected in zip(found, (1 / np.sqrt(a), 1 / (a / b), (a / b) / b), strict=True):
        np.testing.assert_array_equal(one, expected)
