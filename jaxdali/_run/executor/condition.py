"""What a program requires of its data, which is only known once it has run."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

__all__ = ["Condition"]


class Condition(NamedTuple):
    """A condition that every sample must meet.

    Attributes:
        holds: `bool[N]`.
        shown: what the error text shows of each sample, `[N, ...]`, for its "{0}", "{1}" and so on.
    """

    holds: jax.Array
    shown: tuple[jax.Array, ...] = ()

    def after(self, other: Condition) -> Condition:
        """Returns the condition that both hold. What the other one shows comes first."""
        fits = other.holds
        shown = [
            jnp.where(fits.reshape(-1, *[1] * (mine.ndim - 1)), mine, its)
            for mine, its in zip(self.shown, other.shown, strict=True)
        ]
        return Condition(fits & self.holds, tuple(shown))

    def failure(self, otherwise: str) -> tuple[int, str] | None:
        """Returns the first sample that does not meet it and the text of the error; None if all do. Waits for both."""
        wrong = np.flatnonzero(~np.asarray(self.holds))
        if not wrong.size:
            return None
        row = int(wrong[0])
        for place, one in enumerate(self.shown):
            # As short as float32 allows: 1.0000001, not 1.0000001192092896. No str.format: texts quote the user's code.
            value = np.asarray(one)[row]
            words = str(value) if value.ndim == 0 else f"[{', '.join(map(str, value))}]"
            otherwise = otherwise.replace(f"{{{place}}}", words)
        return row, otherwise
