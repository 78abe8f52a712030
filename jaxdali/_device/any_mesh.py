"""Functions of batches whose rows are cut along Explicit axes of a mesh, which are those that `jax.make_mesh` makes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import jax
from jax.sharding import AxisType, PartitionSpec

__all__ = ["on_any_mesh"]

P = ParamSpec("P")
T = TypeVar("T")


def on_any_mesh(function: Callable[P, T]) -> Callable[P, T]:
    """Makes a function run on arrays whose first axis is cut along Explicit axes: XLA divides it, as along Auto axes.

    On Explicit axes JAX refuses gathers, loops over rows and reshapes for which it cannot say how the result is cut. Here
    that is known: every result has a row per sample, and is cut as the first operand that is cut.
    """

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> T:
        leaves, tree = jax.tree.flatten((args, kwargs))
        places = [place for place, leaf in enumerate(leaves) if isinstance(leaf, jax.Array)]
        cut = next(filter(None, (_cut_of_rows(leaves[place]) for place in places)), None)
        if cut is None:
            return function(*args, **kwargs)

        def on_auto_axes(*arrays: jax.Array) -> T:
            given: list[Any] = list(leaves)
            for place, array in zip(places, arrays, strict=True):
                given[place] = array
            call: Callable[..., T] = function
            own, named = jax.tree.unflatten(tree, given)
            return call(*own, **named)

        run: Any = jax.sharding.auto_axes(on_auto_axes, out_sharding=cut)
        return run(*(leaves[place] for place in places))

    return called


def _cut_of_rows(array: jax.Array) -> jax.sharding.NamedSharding | None:
    """Returns how batches are cut whose rows are cut like those of an array; None if that is not along Explicit axes."""
    sharding = jax.typeof(array).sharding
    along = sharding.spec[0] if len(sharding.spec) else None
    if along is None or AxisType.Explicit not in sharding.mesh.axis_types:
        return None
    return jax.sharding.NamedSharding(sharding.mesh, PartitionSpec(along))
