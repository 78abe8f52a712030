"""Advice on JAX errors in a user's `augment`, which JAX itself cannot give. This file loads jax."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import jax

from jaxdali._base.user_warnings import warn_user
from jaxdali.errors import JaxDaliError

__all__ = ["advice", "warn_of_unpacked"]

_TRACED = (
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerBoolConversionError,
    jax.errors.TracerIntegerConversionError,
    jax.errors.ConcretizationTypeError,
)
# Names of parameters that stand for a part of a sample.
_PARTS = {"y", "ys", "label", "labels", "target", "targets", "mask", "masks", "box", "boxes", "caption", "captions"}


def advice(error: Exception, leaves: Sequence[str], function: str = "augment") -> str | None:
    """Returns a sentence to add to an error as a note; None if the error needs none.

    Args:
        leaves: names of the leaves of what the function was given.
        function: which one of the user's raised it, `augment` or `mix`.
    """
    text, keys = str(error), "key" if function == "mix" else "keys"
    if isinstance(error, jax.errors.NonConcreteBooleanIndexError):
        return (
            f"{function} is traced by JAX, and its arrays have one shape in all batches, so a condition cannot choose rows. "
            "Keep them, and let them weigh nothing: jnp.where(condition, loss, 0); or leave samples out of the data before, "
            "jaxdali.source.subset(data, indices)"
        )
    if isinstance(error, _TRACED) or (isinstance(error, TypeError) and "concrete value" in text):
        return (
            f"{function} is traced by JAX, once for all batches: use jax.numpy, and jnp.where for if; what NumPy or "
            "Pillow does to a sample belongs in __getitem__, or jaxdali.source.map(data, function)"
        )
    if isinstance(error, KeyError):
        return f"{function} was given a batch with the leaves {', '.join(map(repr, leaves))}"
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
        return f"the batch comes first: {function}(batch, {keys})"
    if isinstance(error, TypeError) and "tuple indices must be" in text:
        return f"batches are tuples, as samples are: first, second = batch in {function}(batch, {keys})"
    if isinstance(error, TypeError | ValueError) and "key<" in text and not isinstance(error, JaxDaliError):
        return (
            f"the second argument of {function}(batch, {keys}) is not data: jaxdali.random and jax.random draw numbers from "
            "typed keys. If samples are tuples, batches are, too: first, second = batch"
        )
    return None


def warn_of_unpacked(function: Callable[..., object] | None, paths: Sequence[Sequence[Any]]) -> None:
    """Warns if `augment(x, y)` seems to expect the parts of a tuple as its arguments.

    Args:
        paths: where the leaves of a sample are in it, see `Structure`.
    """
    parts = {path[0] for path in paths if path}
    try:
        taken = [] if function is None else [*inspect.signature(function).parameters]
    except (TypeError, ValueError):  # it has no signature
        return
    if len(parts) > 1 and parts == {*range(len(parts))} and taken[1:2] and taken[1] in _PARTS:
        warn_user(
            f"the second parameter of augment({', '.join(taken)}) gets the keys, one per sample. Samples are tuples of "
            f"{len(parts)} here, and so are batches: write augment(batch, keys), and take the batch apart in it",
            UserWarning,
        )
