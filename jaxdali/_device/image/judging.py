"""Fails a program whose images cannot be made, where they are made with jax.numpy, which cannot raise."""

from __future__ import annotations

from typing import Any

import jax
import jax.core
import jax.numpy as jnp
import numpy as np
from jax.interpreters import ad, batching, mlir

from ..ffi import calls
from ..ffi.compat import primitive
from ..ffi.load import can_bind_cuda
from .operands import operands_of
from .recipe import Recipe

__all__ = ["judged"]

_judged = primitive("jaxdali_judged")


def judged(status: jax.Array, windows: jax.Array) -> jax.Array:
    """Returns statuses, `int32[N]`. On CPUs and GPUs the program fails if one is not OK, and the error names the row.

    A function mapped by `vmap` does not fail: there, rows are not those of the user's batch.

    Args:
        windows: `int32[N, 4]`, those of source images, for the error.
    """
    return _judged.bind(status, windows)


@_judged.def_abstract_eval
def _abstract(status: Any, _windows: object) -> Any:
    return status


def _as_is(status: jax.Array, _windows: jax.Array) -> jax.Array:
    return status


def _by_call(status: jax.Array, windows: jax.Array) -> jax.Array:
    """Makes an image of one pixel for each row, with a window outside of it if the row fails."""
    pixel = jnp.asarray([[0, 0, 1, 1]], jnp.int32)
    outside = jnp.where((windows == pixel).all(axis=1, keepdims=True), -pixel, windows)
    windows = jnp.where((status != 0)[:, None], outside, pixel)
    recipe = Recipe.whole(np.dtype(np.uint8), 1).cut(windows, None, None, None)
    ones = jnp.ones((len(status), 3), jnp.int32)
    _, found = calls.images(
        jnp.zeros((len(status), 1, 1, 1), jnp.uint8),
        ones,
        [operands_of(recipe, ones[:, :2], 1)],
        [jax.ShapeDtypeStruct((len(status), 1, 1, 1), jnp.uint8)],
        source=1,
        channels=1,
        channels_first=[False],
        raise_on_error=True,
        threads=1,
        decoder=0,
        fancy_upsampling=True,
        affinity=(),
    )
    return found


def _fails(context: Any, *operands: object) -> Any:
    # On an Explicit mesh, operands have a sharding, which the call's own operands lack.
    context = context.replace(avals_in=[jax.core.ShapedArray(aval.shape, aval.dtype) for aval in context.avals_in])
    return _lowered[_by_call](context, *operands)


def _on_gpu(context: Any, *operands: object) -> Any:
    return (_fails if can_bind_cuda() else _lowered[_as_is])(context, *operands)


def _mapped(operands: Any, axes: Any) -> Any:
    return operands[0], axes[0]


def _derived(primals: Any, tangents: Any) -> Any:
    return _judged.bind(*primals), tangents[0]


_lowered = {way: mlir.lower_fun(way, multiple_results=False) for way in (_as_is, _by_call)}
ad.primitive_jvps[_judged] = _derived
batching.primitive_batchers[_judged] = _mapped
mlir.register_lowering(_judged, _lowered[_as_is])
mlir.register_lowering(_judged, _fails, platform="cpu")
mlir.register_lowering(_judged, _on_gpu, platform="cuda")
