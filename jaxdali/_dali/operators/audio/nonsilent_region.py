"""Finds where signals begin and end, between leading and trailing silence."""

from __future__ import annotations

from collections.abc import Sequence

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, Params
from ..argument_kinds import NUMBER, integer
from ..declaration import Static, operator
from ..values import BatchValue, Context
from .signal_inputs import SIGNALS, lengths_of

__all__ = ["nonsilent_region"]


def _check(display_name: str, _inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    if params["reference_power"] < 0:
        raise ConfigError(
            f"{display_name}(reference_power={params['reference_power']:g}); expected a power, or 0: the signal's largest"
        )


@operator(
    "nonsilent_region",
    inputs=[SIGNALS],
    params=[
        Static("cutoff_db", NUMBER, -60.0, "in decibels of the reference; windows below it are silent"),
        Static("window_length", integer(1, 1 << 30), 2048, "samples per window, over which the power is averaged"),
        Static("reference_power", NUMBER, 0.0, "the power of 0 dB; 0: the largest power of a window of each signal"),
    ],
    accepted={"reset_interval": "the power of each window is summed by itself, so that nothing has to be reset"},
    outputs=lambda _params: 2,
    returns="Two nodes, `int32`: the first sample of the first window that is not silent; and how many samples there are "
    "from there to the end of the last one, 0 where all are silent.",
    check=_check,
)
def nonsilent_region(
    context: Context, value: BatchValue, *, cutoff_db: float, window_length: int, reference_power: float
) -> tuple[BatchValue, BatchValue]:
    """Finds where a signal is not silent; DALI's `fn.nonsilent_region`."""
    import jax.numpy as jnp

    from jaxdali._device.audio.silence import nonsilent_region as compute

    if value.data.ndim != 2:
        raise GraphError(
            f"{context.call.operator.display_name} expects signals of one axis, got samples {value.data.shape[1:]}; take a "
            "channel first, as in signals[:, 0]"
        )
    begin, length = compute(
        jnp.asarray(value.data, jnp.float32),
        lengths_of(value),
        cutoff_db=cutoff_db,
        window_length=window_length,
        reference_power=reference_power or None,
    )
    return BatchValue(begin), BatchValue(length)
