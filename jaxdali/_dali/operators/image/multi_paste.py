"""Pastes regions of several images on canvases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, Params
from ..argument_kinds import DTYPE, EXTENTS, NUMBERS, Kind, numpy_dtype
from ..branch_batch import BranchBatch
from ..declaration import Input, PerSample, Static, operator
from ..extent_bounds import extents_in
from ..operator_inputs import assuming
from ..tensor.sample_axes import INTEGERS
from ..values import BatchValue, Context
from .warping import images_in

__all__ = ["multi_paste"]


def _ids(word: str, value: object) -> tuple[int, ...]:
    ids = INTEGERS.read(word, value)
    if ids and min(ids) < 0:
        raise ConfigError(f"{word} must be indices of samples in the batch, from 0 on, got {value!r:.80}")
    return ids


def _rows(word: str, value: object) -> tuple[tuple[float, float], ...]:
    rows = NUMBERS.read(word, value)
    if not isinstance(rows, tuple) or not all(isinstance(row, tuple) and len(row) == 2 for row in rows):
        raise ConfigError(f"{word} must be numbers [regions, 2], height before width, got {value!r:.80}")
    return rows


def _size(word: str, value: Array) -> tuple[float, ...]:
    is_shape = isinstance(value, list | tuple | np.ndarray) and np.ndim(value) == 1 and len(value) == 3
    return EXTENTS.read(word, value[:2] if is_shape else value)


def _regions(name: str, doc: str, *examples: object) -> Any:
    kind = Kind("Sequence[Sequence[float]] | np.ndarray", _rows, examples)
    return PerSample(name, None, doc, kind, ragged=True)


def _check(display_name: str, inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    for name in ("in_anchors", "out_anchors", "shapes"):
        if params[name] is not None and params[f"{name}_rel"] is not None:
            raise ConfigError(f"{display_name} takes {name}= or {name}_rel=, not both")
    if params["in_ids"] is not None and len(inputs) > 1:
        raise ConfigError(
            f"{display_name} takes in_ids= with one input, got {len(inputs)}; without it sample i of each is pasted"
        )


def _shown(params: Params, inputs: int, row: int) -> list[tuple[int, int]] | None:
    ids = params["in_ids"]
    if ids is None:
        return [(place, row) for place in range(inputs)]
    return None if isinstance(ids, DataNode) else [(0, one) for one in ids]


@operator(
    "multi_paste",
    inputs=[
        assuming(
            Input(
                "inputs",
                "images of one type. All that are pasted on one canvas have the same number of channels, and if "
                "`output_size` is numbers, all have",
                takes="images",
                several=True,
            ),
            "HWC",
            "FHWC",
        )
    ],
    params=[
        PerSample(
            "in_ids",
            None,
            "for each region of an output, the index of the sample it comes from; nodes may have another number of "
            "regions in each sample. By default each input's own sample",
            Kind("int | Sequence[int]", _ids, ((0,), (1, 0))),
            ragged=True,
        ),
        _regions("in_anchors", "where regions begin in their image, in pixels", ((1, 1),), ((0, 2),)),
        _regions("in_anchors_rel", "the same as fractions of the image", ((0.25, 0.5),), ((0.5, 0.25),)),
        _regions(
            "shapes", "height and width of the regions; by default to the end of their image", ((2, 1),), ((1, 3),)
        ),
        _regions("shapes_rel", "the same as fractions of the image", ((0.5, 0.25),), ((0.25, 0.5),)),
        _regions("out_anchors", "where regions are pasted, in pixels of the canvas", ((1, 0),), ((0, 1),)),
        _regions("out_anchors_rel", "the same as fractions of the canvas", ((0.125, 0),), ((0, 0.125),)),
        PerSample(
            "output_size",
            None,
            "(height, width) of the canvas; fractions are cut off. By default that of the inputs, which must have one "
            "shape. As in DALI, a third number, as a shape has, is not used: channels are those of the inputs",
            Kind("float | Sequence[float]", _size, (4, (4, 3))),
            bounded=True,
        ),
        Static("dtype", DTYPE, None, "that of the output; by default the inputs'"),
    ],
    check=_check,
    mixes=True,
    shows=_shown,
    of_batch=True,
    raises={
        "SourceDataError": "a region leaves its image or the canvas, an index is not in the batch, or inputs differ in "
        "shape and `output_size` is not given, where the batch is handed out"
    },
)
def multi_paste(context: Context, *values: BatchValue, in_ids: object, dtype: Any, **params: object) -> BatchValue:
    """Pastes regions of several images on each canvas, later ones over earlier ones; DALI's operator, used for mosaics.

    The rest of a canvas is 0. Where regions begin, fractions of a pixel are cut off; their extents are rounded up. In a
    branch, the samples that take it are the batch, and are counted from 0.
    """
    import jax.numpy as jnp

    from jaxdali._device.image.convert import round_to_dtype
    from jaxdali._device.image.pasting import paste_regions

    frames = (values[0].form and values[0].form.frames) or 1
    own_channels = isinstance(params["output_size"], BatchValue)
    images = [images_in(context, value.channels_last, own_channels) for value in values]
    _check_alike(images)
    samples, batch = context.samples, BranchBatch.of(context, frames)
    if in_ids is None:
        ids, counts = jnp.tile(jnp.arange(samples, dtype=jnp.int32)[:, None], (1, len(images))), None
    else:
        ids, counts = _numbers(in_ids, samples, ())
        used = _used(ids, counts)
        context.require(
            ((ids >= 0) & (ids < batch.count) | ~used).all(axis=1), "an index of fn.multi_paste is not in the batch"
        )
        frame = jnp.arange(samples, dtype=jnp.int32)[:, None] % frames
        ids = batch.rows_at(ids.astype(jnp.int32)) * frames + frame
    used = _used(ids, counts)
    size, shapes = _canvas(context, images, params["output_size"], batch.rows[:1] * frames)
    if own_channels:
        shapes = _with_channels(context, images, shapes, None if in_ids is None else ids, used)
    own = jnp.asarray(size, jnp.int32) if shapes is None else shapes[:, None, :2]
    if in_ids is None:
        whole = jnp.stack([_extents(image) for image in images], axis=1)
    else:
        whole = _extents(images[0])[ids]
    start = _pixels(context, params, "in_anchors", ids.shape, whole, jnp.floor, used)
    extent = _pixels(context, params, "shapes", ids.shape, whole, jnp.ceil, used)
    if params["shapes"] is None and params["shapes_rel"] is None:
        extent = whole - start
    place = _pixels(context, params, "out_anchors", ids.shape, own, jnp.floor, used)
    fits = (start >= 0) & (extent >= 0) & (start + extent <= whole)
    _require(context, fits, used, "a region of fn.multi_paste leaves its image")
    _require(context, (place >= 0) & (place + extent <= own), used, "a region of fn.multi_paste leaves the canvas")
    target = numpy_dtype(dtype) or images[0].data.dtype
    data = [round_to_dtype(image.data, target) for image in images]
    sources, ids = (data, None) if in_ids is None else (data[0], ids)
    made = paste_regions(sources, ids, size, starts=start, extents=extent, places=place, counts=counts)
    return BatchValue(made, shapes, "HWC")


def _check_alike(images: Sequence[BatchValue]) -> None:
    kinds = {(str(image.data.dtype), image.data.shape[3]) for image in images}
    if len(kinds) > 1:
        told = ", ".join(f"{dtype} with {channels}" for dtype, channels in sorted(kinds))
        raise GraphError(f"fn.multi_paste expects inputs of one type and number of channels, got {told}")


def _extents(image: BatchValue) -> Any:
    """Returns the extents of images, `int32[N, 2]`."""
    import jax.numpy as jnp

    if image.shapes is not None:
        return image.shapes[:, :2]
    return jnp.tile(jnp.asarray([image.data.shape[1:3]], jnp.int32), (len(image.data), 1))


def _with_channels(context: Context, images: Sequence[BatchValue], shapes: Any, ids: Any, used: Any) -> Any:
    """Returns the shapes of canvases with the channels of what is pasted on them, which must be those of the first region.

    Args:
        ids: `int32[N, K]`, the image of each region; None if each comes from another input.
    """
    import jax.numpy as jnp

    own = [
        jnp.full((len(image.data),), image.data.shape[3], jnp.int32) if image.shapes is None else image.shapes[:, 2]
        for image in images
    ]
    channels = jnp.stack(own, axis=1) if ids is None else own[0][ids]
    first = jnp.where(used.any(axis=1), channels[:, 0], own[0]) if channels.shape[1] else own[0]
    context.require(
        ((channels == first[:, None]) | ~used).all(axis=1),
        "all regions that fn.multi_paste pastes on one canvas must have the same number of channels",
    )
    return jnp.concatenate([shapes[:, :2], first[:, None].astype(jnp.int32)], axis=1)


def _canvas(context: Context, images: Sequence[BatchValue], size: Any, first_row: Any) -> tuple[tuple[int, int], Any]:
    """Returns height and width of the canvases, and the shapes of samples if they do not fill them.

    Args:
        first_row: `int32[1]`, the row of the first sample.
    """
    import jax.numpy as jnp

    channels = images[0].data.shape[3]
    if isinstance(size, BatchValue):
        extents, most = extents_in(context, "output_size", size, "give numbers")
        if len(extents) not in (2, 3):
            raise GraphError(
                f"output_size of fn.multi_paste as a node expects (height, width), got {len(extents)} number(s)"
            )
        whole = [jnp.trunc(one.astype(jnp.float32)).astype(jnp.int32) for one in extents[:2]]
        for one in whole:
            context.require(one >= 1, "output_size of fn.multi_paste expects at least 1 pixel")
        shapes = [jnp.maximum(one, 1) for one in whole]
        height, width = (max(one, 1) for one in most[:2])
        return (height, width), jnp.stack([*shapes, jnp.full_like(shapes[0], channels)], axis=1)
    if size is not None:
        return (int(size[0]), int(size[1])), None
    shapes = [_extents(image) for image in images]
    same: Any = True
    for one in shapes:
        same = same & (one == shapes[0][first_row]).all(axis=1)
    context.require(
        jnp.broadcast_to(same, (context.samples,)), "fn.multi_paste without output_size= needs inputs of one shape"
    )
    height, width = images[0].data.shape[1:3]
    first = images[0].shapes
    return (height, width), None if first is None else jnp.broadcast_to(first[first_row], first.shape)


def _numbers(value: object, samples: int, rest: tuple[int, ...]) -> tuple[Any, Any]:
    """Returns `[N, K, *rest]`, and how many of the K entries are valid, `int32[N]`; None if all are."""
    import jax.numpy as jnp

    if not isinstance(value, BatchValue):
        rows = jnp.asarray(np.asarray(value, np.float32).reshape(-1, *rest))
        return jnp.broadcast_to(rows, (samples, *rows.shape)), None
    wanted = 1 + len(rest) + (value.data.ndim > 1 or bool(rest))
    if value.data.ndim != wanted or value.data.shape[value.data.ndim - len(rest) :] != rest:
        shape = "[regions, 2]" if rest else "[regions]"
        raise GraphError(f"fn.multi_paste expects arguments {shape} per sample, got {list(value.data.shape[1:])}")
    data = value.data.reshape(samples, -1, *rest)
    return data, None if value.shapes is None else value.shapes[:, 0]


def _used(ids: Any, counts: Any) -> Any:
    """Returns `bool[N or 1, K]`: which regions exist."""
    import jax.numpy as jnp

    place = jnp.arange(ids.shape[1])[None]
    return place >= 0 if counts is None else place < counts[:, None]


def _pixels(context: Context, params: Params, name: str, shape: Any, whole: Any, fraction: Any, used: Any):
    """Returns `int32[N, K, 2]` from an argument in pixels or in fractions of `whole`; zeros if neither is given."""
    import jax.numpy as jnp

    from jaxdali._device.image.exact_arithmetic import product
    from jaxdali._device.numeric.concatenation import on_canvas

    relative = params[f"{name}_rel"]
    value = params[name] if relative is None else relative
    if value is None:
        return jnp.zeros((*shape, 2), jnp.int32)
    data, counts = _numbers(value, shape[0], (2,))
    given = _used(data[..., 0], counts).sum(axis=1)
    context.require(
        jnp.broadcast_to(given == used.sum(axis=1), (shape[0],)),
        f"{name} of fn.multi_paste expects one row for each region",
    )
    data = on_canvas(data, (shape[1], 2))
    if relative is not None:
        data = fraction(product(data.astype(jnp.float32), whole.astype(jnp.float32)))
    return data.astype(jnp.int32)


def _require(context: Context, holds: Any, used: Any, otherwise: str) -> None:
    context.require((holds.all(axis=2) | ~used).all(axis=1), otherwise)
