"""What flows along a node while the device function is traced: a batch, dense or padded."""

from __future__ import annotations

import dataclasses
from typing import Any, Protocol

from ..errors import GraphError
from ..graph.call import Call

__all__ = ["BatchValue", "Context", "EncodedValue"]


class Context(Protocol):
    """What an operator may ask while it is traced.

    Attributes:
        call: that is computed now.
        threads: limit of the threads that decode; 0: none.
        affinity: their CPUs.
    """

    call: Call
    threads: int
    affinity: Any

    @property
    def samples(self) -> int:
        """Samples of the batch."""
        ...

    def keys(self, seed: int | None) -> Any:
        """One key a sample for a random call; with a seed of its own, that one's stream."""
        ...

    def report(self, column: int, on_error: str | None, status: Any) -> None:
        """Says what became of the images of a column: `int32[N]`, a `Status` each."""
        ...

    def require(self, holds: Any, otherwise: str) -> None:
        """A condition on data, `bool[N]`, checked when the batch is handed out: what is said where it does not hold."""
        ...


@dataclasses.dataclass(frozen=True)
class BatchValue:
    """A batch of arrays.

    Attributes:
        data: `[N, ...]`.
        shapes: None: every sample fills its row; else int32[N, ndim], each sample lies in the corner of its row.
        layout: axis names of a sample, such as "HWC"; empty: none.
    """

    data: Any
    shapes: Any = None
    layout: str = ""

    def images(self, context: Context) -> Any:
        """The data, where a sample is an image. Requires of `context` that all have the same number of channels.

        Raises:
            GraphError: the rank or the layout is not that of an image with channels last.
        """
        word = context.call.operator.spoken
        if self.data.ndim != 4 or self.layout not in ("", "HWC"):
            layout = f" and layout {self.layout!r}" if self.layout else ""
            raise GraphError(f"{word} wants images [H, W, C], got samples of {self.data.ndim - 1} dimensions{layout}")
        if self.shapes is not None:
            context.require(
                self.shapes[:, 2] == self.shapes[0, 2],
                f"{word} wants images with the same number of channels, and this one has another than the first of its "
                "batch; convert them in the source",
            )
        return self.data

    def image_shapes(self) -> Any:
        """int32[N, 3] of images, also where every one fills its row."""
        import jax.numpy as jnp

        if self.shapes is not None:
            return self.shapes
        return jnp.broadcast_to(jnp.asarray(self.data.shape[1:], jnp.int32), (self.data.shape[0], 3))


@dataclasses.dataclass(frozen=True)
class EncodedValue:
    """A batch of files; only decoders take it. `canvas` is their static shape for it."""

    batch: Any
    canvas: Any
    column: int
