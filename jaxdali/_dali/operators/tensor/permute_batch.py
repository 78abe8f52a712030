"""Permutes the samples of batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, Params
from ..argument_kinds import Kind
from ..branch_batch import BranchBatch
from ..declaration import REQUIRED, PerSample, operator
from ..operator_inputs import ANY
from ..values import BatchValue, Context
from .sample_axes import INTEGERS

__all__ = ["permute_batch"]


def _indices(word: str, value: Any) -> int | tuple[int, ...]:
    indices = INTEGERS.read(word, value)
    if not indices or min(indices) < 0:
        raise ConfigError(f"{word} must be indices from 0 on, one for each sample, got {value!r:.80}")
    return indices if np.ndim(value) else indices[0]


def _shown(params: Params, _inputs: int, row: int) -> list[tuple[int, int]] | None:
    indices = params["indices"]
    return None if isinstance(indices, DataNode) else [(0, indices[row] if isinstance(indices, tuple) else indices)]


@operator(
    "permute_batch",
    inputs=[ANY],
    params=[
        PerSample(
            "indices",
            REQUIRED,
            "for each returned sample its index in the batch: as many numbers as there are samples, or one for all. "
            "An index may occur more than once, and others not at all",
            Kind("int | Sequence[int]", _indices, (0, (1, 0))),
        )
    ],
    mixes=True,
    shows=_shown,
    of_batch=True,
    raises={"SourceDataError": "an index is out of the batch, where that is handed out"},
)
def permute_batch(context: Context, value: BatchValue, *, indices: Any) -> BatchValue:
    """Returns the samples of the batch in a different order; DALI's `fn.permute_batch`.

    In a branch, the samples that take it are the batch, and are counted from 0.
    """
    batch = BranchBatch.of(context)
    places = _of_each(context, batch, indices)
    context.require((places >= 0) & (places < batch.count), "an index of fn.permute_batch is not in the batch")
    rows = batch.rows_at(places)
    shapes = None if value.shapes is None else value.shapes[rows]
    return BatchValue(value.data[rows], shapes, value.layout, value.wide)


def _of_each(context: Context, batch: BranchBatch, indices: Any) -> Any:
    """Returns `int32[N]`, an index for each sample."""
    import jax.numpy as jnp

    samples, wanted = context.samples, "fn.permute_batch expects an index for each of"
    listed = isinstance(indices, tuple)
    in_branch = listed and batch.taken is not None and len(indices) <= samples
    if np.ndim(indices) > 1 or (np.ndim(indices) == 1 and len(indices) != samples and not in_branch):
        raise GraphError(f"{wanted} {samples} samples, got indices of shape {np.shape(indices)}")
    given = jnp.asarray(indices).astype(jnp.int32)
    if not in_branch:
        return jnp.broadcast_to(given, (samples,))
    context.require(
        jnp.broadcast_to(batch.count == len(indices), (samples,)),
        f"{wanted} the samples that take its branch, got {len(indices)} and another number of samples",
    )
    return jnp.zeros(samples, jnp.int32).at[batch.rows].set(jnp.pad(given, (0, samples - len(indices))))
