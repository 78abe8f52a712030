"""Takes arrays of any layout as images, for operators that treat all channels alike."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from jaxdali.errors import GraphError
from ..values import BatchValue, Context

__all__ = ["Spatial"]


@dataclasses.dataclass(frozen=True, eq=False)
class Spatial:
    """Arrays as images of one to three axes, with channels last. Frames and channels in front of these axes count as
    channels, too.

    Attributes:
        value: the images, `[N, *axes, C]`.
        layout: that of the arrays.
        first, last: the arrays' spatial axes are those from `first` up to `last`, without it.
        rest: the arrays' other extents.
    """

    value: BatchValue
    layout: str
    first: int
    last: int
    rest: tuple[int, ...]

    @classmethod
    def of(cls, context: Context, value: BatchValue, least: int = 1) -> Spatial:
        """Reads a batch. Without a layout all axes are spatial. With one, those that are neither frames nor channels are.

        Args:
            least: the smallest number of spatial axes.

        Raises:
            GraphError: there are fewer of them, or more than three, or frames or channels between them.
        """
        import jax.numpy as jnp

        layout, rank = value.layout, value.data.ndim - 1
        first, last = 0, rank
        if layout:
            first = rank - len(layout.lstrip("FC"))
            last = max(len(layout.rstrip("C")), first)
        if not least <= last - first <= 3 or set("FC") & set(layout[first:last]):
            raise GraphError(
                f"{context.call.operator.display_name} expects images or volumes, of {least} to 3 axes besides frames and "
                f"channels, got samples of {rank} dimensions with the layout {layout!r}"
            )
        others = [axis for axis in range(rank) if not first <= axis < last]
        rest = tuple(value.data.shape[axis + 1] for axis in others)
        axes = range(first, last)
        data = value.data.transpose(0, *(axis + 1 for axis in (*axes, *others)))
        data = data.reshape(*data.shape[: 1 + len(axes)], math.prod(rest))
        shapes = value.shapes
        if shapes is not None:
            channels = (
                shapes[:, last:] if len(others) == 1 and first == 0 else jnp.full_like(shapes[:, :1], data.shape[-1])
            )
            shapes = jnp.concatenate([shapes[:, first:last], channels], axis=1)
        return cls(BatchValue(data, shapes), layout, first, last, rest)

    def restored(self, before: BatchValue, data: Any, shapes: Any) -> BatchValue:
        """Returns what was computed of the images as arrays of the former layout.

        Args:
            before: the arrays that were read.
            data: `[N, *axes, C]`.
            shapes: `int32[N, axes + 1]` of each image, or None.
        """
        import jax.numpy as jnp

        from jaxdali._device.numeric.ragged import outside_filled

        count = self.last - self.first
        data = data.reshape(*data.shape[: 1 + count], *self.rest)
        order = [*range(1 + count, 1 + count + self.first), *range(1, 1 + count)]
        data = data.transpose(0, *order, *range(len(order) + 1, data.ndim))
        if shapes is None:
            return BatchValue(data, None, self.layout)
        own = before.shapes
        if own is None:  # only the axes differ
            own = jnp.broadcast_to(jnp.asarray(before.data.shape[1:], jnp.int32), (len(data), before.data.ndim - 1))
        shapes = jnp.concatenate([own[:, : self.first], shapes[:, :count], own[:, self.last :]], axis=1)
        # Extents of frames and channels that were joined are not in `shapes` of the images, so nothing was cleared by them.
        data = outside_filled(data, shapes) if self.first or len(self.rest) > 1 else data
        return BatchValue(data, shapes, self.layout)
