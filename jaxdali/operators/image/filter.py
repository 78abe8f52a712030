"""Filters images with kernels of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import ConfigError, GraphError
from ...graph.call import DataNode, Params
from ..declaration import Input, PerSample, Static, operator
from ..extents import Extents
from ..inputs import IMAGES
from ..kinds import DTYPE, FLAG, NUMBERS, Kind, choice, numpy_dtype
from ..lazy import Lazy
from ..tensor.axes import extents_of, shapes_of
from ..values import BatchValue, Context

__all__ = ["filter", "given_back", "laplacian", "spatial"]

_BORDERS = ("reflect_101", "reflect_1001", "wrap", "clamp", "constant")


def _integers(word: str, value: object) -> tuple[int, ...]:
    read = NUMBERS.read(word, value)
    values = read if isinstance(read, tuple) else (read,)
    if not 1 <= len(values) <= 3 or not all(isinstance(one, float) and one == int(one) >= -1 for one in values):
        raise ConfigError(f"{word} must be an integer, or one per axis, from -1 on; got {value!r:.80}")
    return tuple(int(one) for one in values)


def _windows(least: int) -> Kind:
    def read(word: str, value: Any) -> tuple[int, ...]:
        values = _integers(word, value)
        if not all(least <= one <= 23 and one % 2 == 1 for one in values):
            raise ConfigError(f"{word} must be odd, from {least} to 23, got {value!r:.80}")
        return values

    return Kind("int | Sequence[int]", read, (5, (3, 5)))


def _factors(word: str, value: object) -> tuple[float, ...]:
    read = NUMBERS.read(word, value)
    values = read if isinstance(read, tuple) else (read,)
    if not 1 <= len(values) <= 3 or not all(isinstance(one, float) for one in values):
        raise ConfigError(f"{word} must be a number, or one per axis; got {value!r:.80}")
    return values


def spatial(context: Context, value: BatchValue) -> tuple[BatchValue, bool]:
    """Returns images or volumes with channels last, and whether a channel axis was added: without a layout all axes are
    spatial.

    Raises:
        GraphError: they are neither.
    """
    data, shapes = value.data, value.shapes
    if not value.layout and data.ndim in (3, 4):
        import jax.numpy as jnp

        one = None if shapes is None else jnp.pad(shapes, ((0, 0), (0, 1)), constant_values=1)
        return BatchValue(data[..., None], one, "HWC" if data.ndim == 3 else "DHWC"), True
    if (value.layout, data.ndim) not in (("HWC", 4), ("DHWC", 5)):
        raise GraphError(
            f"{context.call.operator.spoken} expects images or volumes, got samples of {data.ndim - 1} dimensions with the "
            f"layout {value.layout!r}"
        )
    return value, False


def given_back(data: Any, shapes: Any, value: BatchValue, added: bool) -> BatchValue:
    """Returns results for what `spatial` returned, without the channel axis if one was added."""
    if not added:
        return BatchValue(data, shapes, value.layout)
    return BatchValue(data[..., 0], None if shapes is None else shapes[:, :-1], "")


def _check_dtype(context: Context, dtype: Any, source: Any) -> Any:
    target = numpy_dtype(dtype)
    if target not in (None, np.dtype(source), np.dtype(np.float32)):
        raise GraphError(
            f"dtype of {context.call.operator.spoken} must be FLOAT or that of its input, {source}, got {target}; cast "
            "its output"
        )
    return target


def _check(spoken: str, inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    if len(inputs) == 3 and params["border"] != "constant":
        raise ConfigError(f'{spoken} takes fill_value with border="constant" only, got border={params["border"]!r}')


def _extents(params: Params, extents: Extents) -> Extents:
    return extents if params["mode"] == "same" else extents.within()


@operator(
    "filter",
    inputs=[
        IMAGES,
        Input("filter", "kernels, FLOAT, `[R, S]`, or `[Q, R, S]` for volumes", takes="maps"),
        Input("fill_value", 'level beyond the edges with border="constant", a number', takes="windows", optional=True),
    ],
    params=[
        PerSample(
            "anchor",
            (-1,),
            "position in the kernel that lies on the pixel, a number or one per axis; -1: its middle",
            Kind("int | Sequence[int]", _integers, (0, (1, 0))),
        ),
        Static("border", choice(*_BORDERS), "reflect_101", "how images are extended beyond their edges"),
        Static("dtype", DTYPE, None, "that of the output, FLOAT or the input's, which is the default"),
        Static("mode", choice("same", "valid"), "same", '"valid": only where the kernel lies within the image'),
    ],
    check=_check,
    lazy=Lazy(lambda _params: None, _extents),
)
def filter(
    context: Context,
    value: BatchValue,
    kernels: BatchValue,
    fill_value: BatchValue | None = None,
    *,
    anchor: Any,
    border: str,
    dtype: object,
    mode: str,
) -> BatchValue:
    """Weighted sums of each pixel's neighbours; kernels are not mirrored; DALI's `fn.filter`.

    Sums are float32. It takes images, volumes, and each frame of sequences; without a layout all axes are spatial.
    Kernels may differ in size. See `jaxdali.image.correlate`.
    """
    from ...image import correlate

    target = _check_dtype(context, dtype, value.data.dtype)
    value, added = spatial(context, value)
    axes = value.data.ndim - 2
    if kernels.data.ndim != axes + 1:
        raise GraphError(
            f"fn.filter expects kernels of {axes} dimensions, as many as its images have besides channels, got "
            f"{kernels.data.ndim - 1}"
        )
    if fill_value is not None and any(extent != 1 for extent in fill_value.data.shape[1:]):
        raise GraphError(f"fill_value of fn.filter is one number per sample, got {list(fill_value.data.shape[1:])}")
    if not isinstance(anchor, tuple) and anchor.ndim == 1:
        anchor = anchor[:, None]
    data = correlate(
        value.data,
        kernels.data,
        value.shapes,
        kernel_shapes=kernels.shapes,
        anchor=anchor,
        border=border,
        fill=0 if fill_value is None else fill_value.data.reshape(-1),
        mode=mode,
        dtype=target,
    )
    shapes = value.shapes
    if mode == "valid":
        own = kernels.data.shape[1:] if kernels.shapes is None else [kernels.shapes[:, axis] for axis in range(axes)]
        extents = extents_of(value)
        left = [_left(extent, taps) for extent, taps in zip(extents, own, strict=False)]
        shapes = shapes_of([*left, extents[-1]], len(data))
    return given_back(data, shapes, value, added)


def _left(extent: Any, taps: Any) -> Any:
    if isinstance(extent, int) and isinstance(taps, int):
        return max(extent - taps + 1, 0)
    import jax.numpy as jnp

    return jnp.maximum(extent - taps + 1, 0)


@operator(
    "laplacian",
    inputs=[IMAGES],
    params=[
        PerSample(
            "window_size", (3,), "size of derivative windows, odd, 3 to 23, a number or one per axis", _windows(3)
        ),
        PerSample(
            "smoothing_size",
            None,
            "size of the windows that smooth along the other axes, odd, 1 to 23; by default the derivative's window "
            "size",
            _windows(1),
        ),
        PerSample(
            "scale",
            (1.0,),
            "factors of the derivatives, a number or one per axis",
            Kind("float | Sequence[float]", _factors, (0.5, (0.25, 2.0))),
        ),
        Static(
            "normalized_kernel",
            FLAG,
            False,
            "divide each derivative by 2 to the power of the sum of its window sizes, less the number of axes and 2",
        ),
        Static("dtype", DTYPE, None, "that of the output, FLOAT or the input's, which is the default"),
    ],
    keeps_extents=True,
)
def laplacian(context: Context, value: BatchValue, *, dtype: Any, normalized_kernel: bool, **params: Any) -> BatchValue:
    """The sum of the second derivatives along each axis of images and volumes; DALI's `fn.laplacian`.

    Images are extended beyond their edges by mirroring. Without a layout all axes are spatial. It is fastest if window
    sizes are numbers. See `jaxdali.image.laplacian`.
    """
    import jax.numpy as jnp

    from ...image import laplacian as compute

    target = _check_dtype(context, dtype, value.data.dtype)
    value, added = spatial(context, value)
    given = {}
    for name, one in params.items():
        if one is None or isinstance(one, tuple):
            given[name] = one
            continue
        given[name] = one[:, None] if one.ndim == 1 else one
        if name != "scale":
            least = 3 if name == "window_size" else 1
            holds = (given[name] >= least) & (given[name] <= 23) & (given[name] % 2 == 1)
            context.require(holds.all(axis=1), f"fn.laplacian({name}=) must be odd, from {least} to 23")
            given[name] = jnp.clip(given[name], least, 23)
    data = compute(value.data, shapes=value.shapes, normalized=normalized_kernel, dtype=target, **given)
    return given_back(data, value.shapes, value, added)
