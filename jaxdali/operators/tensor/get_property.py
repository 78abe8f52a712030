"""What is known of samples beside their numbers."""

from __future__ import annotations

import numpy as np

from ..inputs import ANY
from ..record import Only, operator
from ..values import BatchValue, Context

__all__ = ["get_property"]


@operator(
    "get_property",
    inputs=[ANY],
    refused={
        "key": Only(
            "layout",
            "where a sample is from is asked of what Pipeline.run returns, by `source_info()` of its tensors; in the graph "
            "let the source return it as another output",
        )
    },
)
def get_property(context: Context, value: BatchValue) -> BatchValue:
    """The layout of the samples, as bytes of ASCII `uint8[n]`; DALI's `fn.get_property(key="layout")`."""
    import jax.numpy as jnp

    letters = np.frombuffer(value.layout.encode(), np.uint8)
    return BatchValue(jnp.broadcast_to(letters, (context.samples, len(letters))))
