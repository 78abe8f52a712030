"""Converts samples of images with other axes than [H, W, C], or of several images, to images and back.

This file loads jax only inside functions.
"""

from __future__ import annotations

import dataclasses
from typing import Any

__all__ = ["SampleForm", "channels_last_of", "volumes_of"]

_AXES = "FDHWC"


@dataclasses.dataclass(frozen=True, eq=False)
class SampleForm:
    """How samples were converted to images with channels last, with each frame by itself.

    Attributes:
        layout: that of the samples.
        frames: the largest number of frames of a sample; None if samples are not sequences.
        own: int32[N], the number of frames of each; None if all have `frames`.
        depth: the letter that samples have for the depth of volumes: "F" if these are sequences, taken as a whole.
    """

    layout: str
    frames: int | None = None
    own: Any = None
    depth: str = "D"

    def with_layout(self, layout: str) -> SampleForm:
        """Returns the form for the output of an operator that determines the order of axes itself."""
        return dataclasses.replace(self, layout=layout)

    def restore(self, data: Any, shapes: Any, layout: str) -> tuple[Any, Any, str]:
        """Converts the results for images back to samples; returns their array, shapes and layout.

        Args:
            data: `[N * frames, ...]`.
            shapes: `int32[N * frames, ...]`, or None.
            layout: that of an image; if it is not that of images with channels last, it stays.
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
        return data, shapes, layout.replace("D", self.depth)


def _last(layout: str) -> str:
    """Returns the order in which operators have the axes of a layout."""
    return "".join(letter for letter in _AXES if letter in layout or letter == "C")


def channels_last_of(data: Any, shapes: Any, layout: str) -> tuple[Any, Any, str, SampleForm] | None:
    """Returns array, shapes and layout of images with channels last, and how samples were converted to these. None if
    the samples have that form already, or are not images.
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


def volumes_of(data: Any, shapes: Any, layout: str) -> tuple[Any, Any, str, SampleForm]:
    """Returns array, shapes and layout of sequences as volumes with channels last, whose depth is their frames; and how
    they were converted.
    """
    renamed = layout.replace("F", "D")
    found = channels_last_of(data, shapes, renamed) or (data, shapes, renamed, SampleForm(renamed))
    return *found[:3], dataclasses.replace(found[3], depth="F")


def _joined(data: Any, shapes: Any, form: SampleForm) -> tuple[Any, Any]:
    """Joins frames to samples again, with zeros behind the last frame of each."""
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
