"""Functions of JAX as operators."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from jaxdali._base.missing import explain_missing
from jaxdali.errors import ConfigError
from ..graph.scope import current_scope
from ..operators.jax_function_operator import JAX_FUNCTION

__all__ = ["jax_function"]


def jax_function(
    function: Callable[..., object] | None = None,
    num_outputs: int = 1,
    output_layouts: str | Sequence[str] | None = None,
    sharding: object = None,
    device: str | None = None,
    preserve: bool = True,
) -> Any:
    """Makes an operator of a function of `jax.Array`s; DALI's decorator of the same name.

    The result is called with nodes, and returns a node, or a list of them. The function is traced once for each shape,
    as part of the pipeline's own program: there is no callback, XLA compiles it together with the other operators, and
    its side effects happen while it is traced. It may be under `jax.jit` and `jax.vmap`. It is given batches, `[N,
    ...]`, whose samples must have one shape, and returns as many rows; in a branch, too, these are all samples. A pipeline
    with such a function cannot be saved.

    Args:
        function: takes as many arrays as there are nodes, at most 64.
        num_outputs: how many arrays it returns; if several, as a tuple.
        output_layouts: the layouts of the outputs' samples: one for all, or a tuple. Not given: an output has the
            layout of the input at its position, if that has as many axes.
        sharding: None only: a pipeline's program runs on one device; iterators make global arrays from what several
            compute.
        device: "cpu" or "gpu"; not given: that of the first input.
        preserve: in a pipeline that is being defined, compute it even if no output depends on it.

    Raises:
        ConfigError: no function, no outputs, or a sharding.
    """
    if sharding is not None:
        raise ConfigError(
            "jax_function(sharding=) is not supported: a pipeline's program runs on one device. Give the sharding to the "
            "iterator, and compute with its global arrays in a jitted function of yours"
        )
    if num_outputs == 0:
        raise ConfigError(
            "jax_function(num_outputs=0) is not supported: the function is traced into the pipeline's program, where one "
            "without outputs computes nothing; look at batches where they are handed out"
        )
    params, _ = JAX_FUNCTION.read(
        {
            "function": (lambda: None) if function is None else function,
            "num_outputs": num_outputs,
            "output_layouts": output_layouts,
        }
    )

    def decorate(inner: Callable[..., object]) -> Callable[..., Any]:
        def operator(*inputs: Any) -> Any:
            kept = {"preserve": True} if preserve and current_scope() is not None else {}
            return JAX_FUNCTION(*inputs, **{**params, "function": inner}, device=device, **kept)

        if hasattr(inner, "__name__"):
            functools.update_wrapper(operator, inner, updated=())
        return operator

    return decorate if function is None else decorate(function)


def __getattr__(name: str) -> Any:
    return explain_missing(__name__, __all__)(name)
