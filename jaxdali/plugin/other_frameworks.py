"""What is said to a program that asks for DALI's iterator of another framework."""

from __future__ import annotations

from typing import NoReturn

__all__ = ["advice", "refuse"]

# Of each framework how it takes a `jax.Array`, without a copy where both have it in the same memory.
_EXAMPLES = {
    "pytorch": 'images = torch.from_dlpack(batch["images"])',
    "tf": 'images = tf.experimental.dlpack.from_dlpack(batch["images"].__dlpack__())',
    "mxnet": 'images = mx.nd.from_dlpack(batch["images"].__dlpack__())',
    "paddle": 'images = paddle.utils.dlpack.from_dlpack(batch["images"])',
}


def advice(name: str) -> str | None:
    """What to do in place of `jaxdali.plugin.<name>`; None: that is not a framework of DALI's."""
    if name == "numba":
        return (
            "jaxdali.plugin.numba is not here: functions are compiled by JAX, see jaxdali.plugin.jax.fn.jax_function (of "
            "jax.Arrays, on CPU and GPU); or called as they are, also numba's, with NumPy's arrays by fn.python_function"
        )
    if name not in _EXAMPLES:
        return None
    return (
        f"jaxdali.plugin.{name} is not here: the iterators are those of jaxdali.plugin.jax (DALIGenericIterator, "
        f"data_iterator), whose arrays go to any framework by DLPack: `for batch in iterator: {_EXAMPLES[name]}`"
    )


def refuse(framework: str) -> NoReturn:
    """Raises ModuleNotFoundError with `advice`."""
    # Without name=, by which `from jaxdali.plugin import pytorch` would take it for its own and lose the words.
    raise ModuleNotFoundError(advice(framework))
