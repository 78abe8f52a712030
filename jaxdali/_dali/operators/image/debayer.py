"""Reconstructs colours from the mosaics of sensors with a Bayer filter."""

from __future__ import annotations

from jaxdali.errors import ConfigError, GraphError
from ..argument_kinds import Kind
from ..declaration import REQUIRED, Input, PerSample, Static, operator
from ..operator_inputs import assuming
from ..tensor.sample_axes import INTEGERS
from ..values import BatchValue, Context

__all__ = ["debayer"]

_ALGORITHMS = ("bilinear_ocv", "edgeaware_ocv", "vng_ocv", "gray_ocv")


def _algorithm(word: str, value: object) -> str:
    if value == "default_npp":
        raise ConfigError(f'{word} is "default_npp", which NPP alone computes; "bilinear_ocv" is here on all devices')
    if value not in _ALGORITHMS:
        raise ConfigError(f"{word} must be one of {', '.join(_ALGORITHMS)}, got {value!r:.80}")
    return str(value)


def _position(word: str, value: object) -> tuple[int, ...]:
    found = INTEGERS.read(word, value)
    found = found * 2 if len(found) == 1 else found
    if len(found) != 2 or not set(found) <= {0, 1}:
        raise ConfigError(f"{word} must be (row, column), 0 or 1 each, got {value!r:.80}")
    return found


@operator(
    "debayer",
    inputs=[
        assuming(
            Input(
                "data",
                'mosaics of UINT8 or UINT16, layout "HW" or "HWC" with one channel; for sequences each frame',
                takes="mosaics",
            ),
            "HW",
            "HWC",
            "FHWC",
        )
    ],
    params=[
        PerSample(
            "blue_position",
            REQUIRED,
            "(row, column) of blue in each square of 2 x 2 pixels, the first of which begins in the second row and "
            "column: (0, 0) is BGGR, (0, 1) GBRG, (1, 0) GRBG, (1, 1) RGGB. For sequences also one per frame, "
            "`fn.per_frame`",
            Kind("int | Sequence[int]", _position, ((0, 1), (1, 1))),
        ),
        Static(
            "algorithm",
            Kind('Literal["bilinear_ocv", "edgeaware_ocv", "vng_ocv", "gray_ocv"]', _algorithm, _ALGORITHMS[1:]),
            "bilinear_ocv",
            '"bilinear_ocv": the mean of the nearest pixels of a colour; "edgeaware_ocv": green along the smaller '
            'difference; "vng_ocv": along small gradients, UINT8 only; "gray_ocv": the luma of the first, one channel',
        ),
    ],
    raises={"SourceDataError": "a position of a node is neither 0 nor 1, where the batch is handed out"},
)
def debayer(context: Context, value: BatchValue, *, blue_position: object, algorithm: str) -> BatchValue:
    """Makes RGB images from Bayer mosaics, as OpenCV does; DALI's `fn.debayer`, with its CPU algorithms on all devices.

    On GPUs, DALI has only NPP's algorithm, which interpolates green differently.
    """
    import jax.numpy as jnp

    from jaxdali._device.image.mosaics import debayer as compute

    data, shapes, word = value.data, value.shapes, context.call.operator.display_name
    if data.ndim == 3 and not value.layout:
        data, shapes = data[..., None], None if shapes is None else jnp.pad(shapes, ((0, 0), (0, 1)), constant_values=1)
    if data.ndim != 4 or value.layout not in ("", "HWC") or data.shape[3] != 1:
        raise GraphError(
            f'{word} expects mosaics [H, W] or [H, W, 1], layout "HW" or "HWC", got samples of {list(data.shape[1:])}, '
            f'layout {value.layout!r}; sequences have the layout "FHW"'
        )
    if data.dtype not in ("uint8", "uint16") or (algorithm == "vng_ocv" and data.dtype != "uint8"):
        wanted = "UINT8" if algorithm == "vng_ocv" else "UINT8 or UINT16"
        raise GraphError(f"{word} expects mosaics of {wanted} for {algorithm}, got {data.dtype}; fn.cast them")
    position = jnp.asarray(blue_position, jnp.int32)
    if not isinstance(blue_position, tuple):
        position = jnp.broadcast_to(position.reshape(len(data), -1), (len(data), 2))
        context.require(((position == 0) | (position == 1)).all(axis=1), f"blue_position of {word} must be 0 or 1")
    found = compute(data, position, shapes, algorithm=algorithm.removesuffix("_ocv"))
    if shapes is not None:
        shapes = jnp.concatenate([shapes[:, :2], jnp.full_like(shapes[:, 2:], found.shape[3])], axis=1)
    form = value.form and value.form.with_layout("HWC" if value.form.frames is None else "FHWC")
    return BatchValue(found, shapes, "HWC", form=form)
