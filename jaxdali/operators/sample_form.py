"""Samples of images in other orders of axes than [H, W, C], and of several images: how they become such, and themselves
again.

This file loads jax inside of functions only.
"""

from __future__ import annotations

import dataclasses
from typing import Any

__all__ = ["SampleForm", "channels_last_of"]

_AXES = "FDHWC"


@dataclasses.dataclass(frozen=True, eq=False)
class SampleForm:
    """How samples became images with channels last, each frame one by itself.

    Attributes:
        layout: of the samples.
        frames: of a sample, at most; None: samples are not sequences.
        own: int32[N], frames of each; None: all have as many.
    """

    layout: str
    frames: int | None = None
    own: Any = None

    def with_layout(self, layout: str) -> SampleForm:
        """The same of an operator that says the order of axes itself."""
        return dataclasses.replace(self, layout=layout)

    def restore(self, data: Any, shapes: Any, layout: str) -> tuple[Any, Any, str]:
        """Samples of what became of their images: array, shapes and layout.

        Args:
            data: `[N * frames, ...]`.
            shapes: `int32[N * frames, ...]`, or None.
            layout: of an image; another one than of images with channels last stays.
        """
        if self.frames is not None:
            data, shapes = _joined(data, shapes, self)
            layout = "F" + layout if layout else ""
        if layout == _last(self.layout) and layout != self.layout:
            order = [layout.index(letter) for letter in self.layout]
            if len(order) < len(layout):
                data = data.squeeze(-1)
            data = data.transpose(0, *(axis + 1 for axis in order))
            shapes = None if shapes is None else shapes[:, tuple(order)]
            layout = self.layout
        return data, shapes, layout


def _last(layout: str) -> str:
    """The order of axes in which operators have those of a layout."""
    return "".join(letter for letter in _AXES if letter in layout or letter == "C")


def channels_last_of(data: Any, shapes: Any, layout: str) -> tuple[Any, Any, str, SampleForm] | None:
    """Array, shapes and layout of images with channels last, and how they became such; None: the samples are that, or no
    images.
    """
    is_one = len(layout) == data.ndim - 1 and set("HW") <= set(layout) <= set(_AXES) and len(set(layout)) == len(layout)
    last = _last(layout)
    if not is_one or (layout == last and "F" not in layout):
        return None
    import jax.numpy as jnp

    order = tuple(layout.index(letter) for letter in last if letter in layout)
    data = data.transpose(0, *(axis + 1 for axis in order))
    shapes = None if shapes is None else shapes[:, order]
    if "C" not in layout:
        data = data[..., None]
        shapes = None if shapes is None else jnp.pad(shapes, ((0, 0), (0, 1)), constant_values=1)
    if "F" not in layout:
        return data, shapes, last, SampleForm(layout)
    frames = data.shape[1]
    own = None if shapes is None else shapes[:, 0]
    data = data.reshape(-1, *data.shape[2:]) if frames else data.reshape(0, *data.shape[2:])
    shapes = None if shapes is None else jnp.repeat(shapes[:, 1:], frames, axis=0)
    return data, shapes, last[1:], SampleForm(layout, frames, own)


def _joined(data: Any, shapes: Any, form: SampleForm) -> tuple[Any, Any]:
    """Frames as samples again, with zeros behind the last of each."""
    import jax.numpy as jnp

    frames, own = form.frames or 0, form.own
    samples = len(data) // frames if frames else 0
    if own is not None:
        samples = len(own)
    data = data.reshape(samples, frames, *data.shape[1:])
    if own is not None:
        inside = jnp.arange(frames, dtype=jnp.int32) < own[:, None]
        data = jnp.where(inside.reshape(*inside.shape, *[1] * (data.ndim - 2)), data, jnp.zeros((), data.dtype))
    if shapes is None and own is None:
        return data, None
    count = jnp.full((samples, 1), frames, jnp.int32) if own is None else own[:, None].astype(jnp.int32)
    if shapes is None:
        rest = jnp.broadcast_to(jnp.asarray(data.shape[2:], jnp.int32), (samples, data.ndim - 2))
    else:
        rest = shapes.reshape(samples, frames, -1)[:, 0]
    return data, jnp.concatenate([count, rest], axis=1)
