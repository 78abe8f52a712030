"""Permutes the samples of batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import ConfigError, GraphError
from ..declaration import REQUIRED, PerSample, operator
from ..inputs import ANY
from ..kinds import Kind
from ..values import BatchValue, Context
from .axes import INTEGERS

__all__ = ["permute_batch"]


def _indices(word: str, value: Any) -> int | tuple[int, ...]:
    indices = INTEGERS.read(word, value)
    if not indices or min(indices) < 0:
        raise ConfigError(f"{word} must be indices from 0 on, one for each sample, got {value!r:.80}")
    return indices if np.ndim(value) else indices[0]


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
    raises={"SourceDataError": "an index is out of the batch, where that is handed out"},
)
def permute_batch(context: Context, value: BatchValue, *, indices: Any) -> BatchValue:
    """Returns the samples of the batch in a different order; DALI's `fn.permute_batch`."""
    import jax.numpy as jnp

    samples = len(value.data)
    if np.ndim(indices) > 1 or (np.ndim(indices) == 1 and len(indices) != samples):
        raise GraphError(
            f"fn.permute_batch expects an index for each of {samples} samples, got indices of shape {np.shape(indices)}"
        )
    places = jnp.broadcast_to(jnp.asarray(indices).astype(jnp.int32), (samples,))
    context.require((places >= 0) & (places < samples), "an index of fn.permute_batch is not in the batch")
    places = jnp.clip(places, 0, max(samples - 1, 0))
    shapes = None if value.shapes is None else value.shapes[places]
    return BatchValue(value.data[places], shapes, value.layout, value.wide)
