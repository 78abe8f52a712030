"""The samples that an operator in a branch is given: those that take it. They count as its batch, as in DALI."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.call import Call
from .declaration import declaration_of
from .values import Context

__all__ = ["BranchBatch", "HostBranch"]

_Samples = Sequence[np.ndarray]


@dataclasses.dataclass(frozen=True)
class BranchBatch:
    """The samples of a batch that take the branches of a call. Positions among them are what users count by.

    Attributes:
        taken: `bool[N]`: which samples they are; None for all.
        count: their number.
        rows: `int32[N]`: the row of each of them in the whole batch, in order; the other rows follow.
    """

    taken: Any
    count: Any
    rows: Any

    @classmethod
    def of(cls, context: Context, frames: int = 1) -> BranchBatch:
        """Returns the samples of the call that is computed now.

        Args:
            frames: how many rows of the context are one sample.
        """
        import jax.numpy as jnp

        samples, taken = context.samples // frames, context.taken()
        if taken is None:
            return cls(None, samples, jnp.arange(samples, dtype=jnp.int32))
        taken = taken[::frames]
        rows = jnp.argsort(~taken, stable=True).astype(jnp.int32)
        return cls(taken, taken.sum(dtype=jnp.int32), rows)

    def rows_at(self, places: Any) -> Any:
        """Returns the rows at positions among these samples, which are clipped to those that there are."""
        import jax.numpy as jnp

        return self.rows[jnp.clip(places, 0, jnp.maximum(self.count - 1, 0))]

    def largest(self, numbers: Any) -> Any:
        """Returns the largest number, `[N] -> []`, of these samples; 0 if there are none."""
        import jax.numpy as jnp

        return numbers.max(initial=0, where=True if self.taken is None else jnp.broadcast_to(self.taken, numbers.shape))


class HostBranch:
    """Computes a call on the host, batch by batch, with those samples only that take the call's branches.

    Other samples get what the first of those gets, since what they get is not used. If there is none, it is that of an
    earlier batch; before there was one, nothing else tells the types of outputs, and all samples are computed.
    """

    def __init__(self) -> None:
        self._before: list[np.ndarray] | None = None

    def compute(self, call: Call, operands: Sequence[_Samples], samples: int) -> Sequence[_Samples]:
        """Returns the samples of each output.

        Args:
            call: the same one each time, or one that was written in its place; its operator has an `on_host`.
            operands: the samples of all that it depends on.
        """
        on_host: Any = declaration_of(call).on_host
        own, conditions = operands[: len(call.operands)], operands[len(call.operands) :]
        taking = _taking(call, conditions, samples) if call.branch else range(samples)
        if not taking and (self._before is not None or not call.outputs):
            return [[one] * samples for one in self._before or ()]
        if not taking or len(taking) == samples:
            made = on_host(call, own, samples)
            self._before = [batch[0] for batch in made] if call.branch and samples else self._before
            return made
        made = on_host(call, [[batch[row] for row in taking] for batch in own], len(taking))
        self._before = [batch[0] for batch in made]
        place = {row: number for number, row in enumerate(taking)}
        return [[batch[place.get(row, 0)] for row in range(samples)] for batch in made]


def _taking(call: Call, conditions: Sequence[_Samples], samples: int) -> Sequence[int]:
    """Returns the rows of the samples that take the branches of a call."""
    wanted = [taken for _, taken in call.branch]
    return [
        row
        for row in range(samples)
        if all(bool(np.any(one[row])) == taken for one, taken in zip(conditions, wanted, strict=True))
    ]
