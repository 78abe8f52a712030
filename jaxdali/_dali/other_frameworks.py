"""Explains to programs that ask for DALI's iterators of other frameworks what to use here."""

from __future__ import annotations

from typing import NoReturn

__all__ = ["advice", "refuse"]

# How each framework takes a `jax.Array`, without a copy if both have it in the same memory.
_EXAMPLES = {
    "pytorch": 'images = torch.from_dlpack(batch["images"])',
    "tf": 'images = tf.experimental.dlpack.from_dlpack(batch["images"].__dlpack__())',
    "mxnet": 'images = mx.nd.from_dlpack(batch["images"].__dlpack__())',
    "paddle": 'images = paddle.utils.dlpack.from_dlpack(batch["images"])',
}


def advice(name: str) -> str | None:
    """Returns what to use in place of `jaxdali.plugin.<name>`, or None if DALI has no such framework."""
    if name == "numba":
        return (
            "there is no jaxdali.plugin.numba: JAX compiles functions, see jaxdali.plugin.jax.fn.jax_function (on "
            "jax.Arrays, on CPU and GPU); fn.python_function calls functions as they are, numba's too, on NumPy arrays"
        )
    if name not in _EXAMPLES:
        return None
    return (
        f"there is no jaxdali.plugin.{name}: use the iterators of jaxdali.plugin.jax (DALIGenericIterator, "
        f"data_iterator), whose arrays go to any framework by DLPack: `for batch in iterator: {_EXAMPLES[name]}`"
    )


def refuse(framework: str) -> NoReturn:
    """Raises ModuleNotFoundError with `advice`."""
    # Without name=, which would make `from jaxdali.plugin import pytorch` handle the error itself and lose the message.
    raise ModuleNotFoundError(advice(framework))
