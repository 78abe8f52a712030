"""Filters images with kernels of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, Params
from ..argument_kinds import DTYPE, FLAG, NUMBERS, Kind, choice, numpy_dtype
from ..declaration import Input, PerSample, Static, operator
from ..image_extents import Extents
from ..lazy import Lazy
from ..operator_inputs import AXES
from ..tensor.sample_axes import extents_of, shapes_of
from ..values import BatchValue, Context
from .spatial import Spatial

__all__ = ["filter", "laplacian"]

_BORDERS = ("reflect_101", "reflect_1001", "wrap", "clamp", "constant")
_SPELLINGS = {
    **dict.fromkeys(("reflect101", "101"), "reflect_101"),
    **dict.fromkeys(("reflect1001", "1001", "reflect"), "reflect_1001"),
    **dict.fromkeys(("edge",), "clamp"),
    **dict.fromkeys(("fill", "pad"), "constant"),
}
_MOST_WINDOW = 31


def _integers(word: str, value: object) -> tuple[int, ...]:
    read = NUMBERS.read(word, value)
    values = read if isinstance(read, tuple) else (read,)
    if not 1 <= len(values) <= 3 or not all(isinstance(one, float) and one == int(one) >= -1 for one in values):
        raise ConfigError(f"{word} must be an integer, or one per axis, from -1 on; got {value!r:.80}")
    return tuple(int(one) for one in values)


def _windows(least: int) -> Kind:
    def read(word: str, value: Any) -> tuple[int, ...]:
        values = _integers(word, value)
        if not all(least <= one <= _MOST_WINDOW and one % 2 == 1 for one in values):
            raise ConfigError(f"{word} must be odd, from {least} to {_MOST_WINDOW}, got {value!r:.80}")
        return values

    return Kind("int | Sequence[int]", read, (5, (3, 5)))


def _factors(word: str, value: object) -> tuple[float, ...]:
    read = NUMBERS.read(word, value)
    values = read if isinstance(read, tuple) else (read,)
    if not 1 <= len(values) <= 3 or not all(isinstance(one, float) for one in values):
        raise ConfigError(f"{word} must be a number, or one per axis; got {value!r:.80}")
    return values


def _check_dtype(context: Context, dtype: Any, source: Any) -> Any:
    target = numpy_dtype(dtype)
    if target not in (None, np.dtype(source), np.dtype(np.float32)):
        raise GraphError(
            f"dtype of {context.call.operator.display_name} must be FLOAT or that of its input, {source}, got {target}; "
            "cast "
            "its output"
        )
    return target


def _check(display_name: str, inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    if len(inputs) == 3 and params["border"] != "constant":
        raise ConfigError(
            f'{display_name} takes fill_value with border="constant" only, got border={params["border"]!r}'
        )


def _extents(params: Params, extents: Extents) -> Extents:
    return extents if params["mode"] == "same" else extents.within()


@operator(
    "filter",
    inputs=[
        AXES,
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
        Static(
            "border",
            choice(*_BORDERS, any_case=True, also=_SPELLINGS),
            "reflect_101",
            'how images are extended beyond their edges: "reflect_101" or "101", "reflect_1001" or "1001", "wrap", "clamp", '
            '"constant"',
        ),
        Static("dtype", DTYPE, None, "that of the output, FLOAT or the input's, which is the default"),
        Static(
            "mode",
            choice("same", "valid", any_case=True),
            "same",
            '"valid": only where the kernel lies within the image',
        ),
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
    """Computes weighted sums of each pixel's neighbours; DALI's `fn.filter`.

    Kernels are not mirrored. Sums are float32. It takes images, volumes, and each frame of sequences; without a layout
    all axes are spatial, and with one, all but frames and channels. Kernels may differ in size. See
    `jaxdali.image.correlate`.
    """
    from jaxdali._device.image.correlation import correlate

    target = _check_dtype(context, dtype, value.data.dtype)
    before, images = value, Spatial.of(context, value, least=2)
    value = images.value
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
    return images.restored(before, data, shapes)


def _left(extent: Any, taps: Any) -> Any:
    if isinstance(extent, int) and isinstance(taps, int):
        return max(extent - taps + 1, 0)
    import jax.numpy as jnp

    return jnp.maximum(extent - taps + 1, 0)


def _check_scale(_display_name: str, _inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    scale = params["scale"]
    if params["normalized_kernel"] and (isinstance(scale, DataNode) or scale != (1.0,)):
        raise ConfigError(
            "fn.laplacian takes scale= or normalized_kernel=True, which determines the scale, not both; leave one out"
        )


@operator(
    "laplacian",
    inputs=[AXES],
    params=[
        PerSample(
            "window_size", (3,), "size of derivative windows, odd, 3 to 31, a number or one per axis", _windows(3)
        ),
        PerSample(
            "smoothing_size",
            None,
            "size of the windows that smooth along the other axes, odd, 1 to 31; by default the derivative's window "
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
    check=_check_scale,
    keeps_extents=True,
)
def laplacian(context: Context, value: BatchValue, *, dtype: Any, normalized_kernel: bool, **params: Any) -> BatchValue:
    """Adds up the second derivatives along each axis; DALI's `fn.laplacian`.

    It takes images, volumes and arrays of one axis. Images are extended beyond their edges by mirroring. Without a
    layout all axes are spatial; with one, all but frames and channels. It is fastest if window sizes are numbers. See
    `jaxdali.image.laplacian`.
    """
    import jax.numpy as jnp

    from jaxdali._device.image.correlation import laplacian as compute

    target = _check_dtype(context, dtype, value.data.dtype)
    images = Spatial.of(context, value)
    given, axes = {}, images.value.data.ndim - 2
    for name, one in params.items():
        given[name] = one if one is None or isinstance(one, tuple) or one.ndim > 1 else one[:, None]
        if one is not None and np.shape(given[name])[-1] not in (1, axes):
            raise GraphError(
                f"{name}= of fn.laplacian expects one number, or {axes}, one for each axis; got {np.shape(given[name])[-1]}"
            )
        if one is None or isinstance(one, tuple):
            continue
        if name != "scale":
            least = 3 if name == "window_size" else 1
            holds = (given[name] >= least) & (given[name] <= _MOST_WINDOW) & (given[name] % 2 == 1)
            context.require(holds.all(axis=1), f"fn.laplacian({name}=) must be odd, from {least} to {_MOST_WINDOW}")
            given[name] = jnp.clip(given[name], least, _MOST_WINDOW)
    shapes = images.value.shapes
    data = compute(images.value.data, shapes=shapes, normalized=normalized_kernel, dtype=target, **given)
    return images.restored(value, data, shapes)
