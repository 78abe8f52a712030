"""Draws permutations of batches."""

from __future__ import annotations

from ..argument_kinds import FLAG
from ..declaration import Static, operator
from ..values import BatchValue, Context
from .draw_arguments import SEED_PARAM

__all__ = ["batch_permutation"]


@operator(
    "batch_permutation",
    params=[
        Static(
            "allow_repetitions",
            FLAG,
            False,
            "whether a sample may occur more than once, so that others do not occur at all",
        ),
        Static("no_fixed_points", FLAG, False, "let no sample keep its place, unless it is the only one"),
        SEED_PARAM,
    ],
    is_random=True,
    of_batch=True,
)
def batch_permutation(
    context: Context, *, allow_repetitions: bool, no_fixed_points: bool, seed: int | None
) -> BatchValue:
    """Draws a permutation of the batch for `fn.permute_batch`: for each sample the index of a sample; DALI's operator.

    In a branch, the samples that take it are the batch.
    """
    from jaxdali._device.random.choices import permutation

    keys, taken = context.keys(seed), context.taken()
    return BatchValue(permutation(keys, repetitions=allow_repetitions, no_fixed_points=no_fixed_points, taken=taken))
