"""Sets whether XLA optimizes what the tests of a file compile, whatever the suite's setting."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

__all__ = ["optimizations"]


def optimizations(enabled: bool) -> Callable[[], Iterator[None]]:
    """A fixture for all tests of the file in which it is assigned to a name."""

    @pytest.fixture(autouse=True, scope="module")
    def chosen() -> Iterator[None]:
        import jax

        before = jax.config.read("jax_disable_most_optimizations")
        jax.config.update("jax_disable_most_optimizations", not enabled)
        yield
        jax.config.update("jax_disable_most_optimizations", before)

    return chosen
