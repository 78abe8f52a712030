"""Advice on JAX errors in a user's `augment`, which JAX itself cannot give. This file loads jax."""

from __future__ import annotations

from collections.abc import Sequence

import jax

__all__ = ["advice"]

_TRACED = (
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerBoolConversionError,
    jax.errors.TracerIntegerConversionError,
    jax.errors.ConcretizationTypeError,
)


def advice(error: Exception, leaves: Sequence[str], function: str = "augment") -> str | None:
    """Returns a sentence to add to an error as a note; None if the error needs none.

    Args:
        leaves: names of the leaves of what the function was given.
        function: which one of the user's raised it, `augment` or `mix`.
    """
    if isinstance(error, _TRACED):
        return (
            f"{function} is traced by JAX, once for all batches: use jax.numpy, and jnp.where for if; what NumPy or "
            "Pillow does to a sample belongs in __getitem__, or jaxdali.source.map(data, function)"
        )
    if isinstance(error, KeyError):
        return f"{function} was given a batch with the leaves {', '.join(map(repr, leaves))}"
    text = str(error)
    if isinstance(error, ValueError) and "a single key" in text:
        return (
            "there is one key per sample: jaxdali.random draws with all of them at once, such as "
            "jaxdali.random.uniform(keys), and jax.vmap(lambda key, row: ...)(keys, rows) gives each row its own"
        )
    if isinstance(error, ValueError) and "vmap was requested" in text and "only 0" in text:
        return (
            "the `step` and the `epoch` are one number for all rows, and jax.vmap maps what it is given by name: "
            "lambda batch, keys, step: jax.vmap(row, (0, 0, None))(batch, keys, step)"
        )
    if isinstance(error, TypeError) and "string indexing" in text:
        return f"the batch comes first: {function}(batch, {'key' if function == 'mix' else 'keys'})"
    return None
