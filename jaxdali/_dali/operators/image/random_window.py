"""Draws random windows of images, for several operators."""

from __future__ import annotations

from typing import Any

from jaxdali._base.aliases import Array
from ...graph.call import Params
from ..argument_kinds import SEED, bounds, integer
from ..declaration import Param, Static
from ..values import Context

__all__ = ["RANDOM_WINDOW", "RANDOM_WINDOW_NAMES", "draw_windows"]

RANDOM_WINDOW: tuple[Param, ...] = (
    Static(
        "random_area",
        bounds(0.0, 4.0),
        (0.08, 1.0),
        "(smallest, largest) fraction of the image's area that the window covers, at most 4. Hardly any window above "
        "1 fits; one that does not is drawn again",
    ),
    Static(
        "random_aspect_ratio", bounds(1 / 64, 64.0), (3 / 4, 4 / 3), "(smallest, largest) width / height of the window"
    ),
    Static(
        "num_attempts",
        integer(1, 1000),
        10,
        "windows to draw before the largest one that fits is taken; see `jaxdali.random.resized_crop_window`",
    ),
    Static("seed", SEED, None, "seed of a stream of its own, see `fn.random.uniform`"),
)

RANDOM_WINDOW_NAMES = tuple(param.name for param in RANDOM_WINDOW)


def draw_windows(context: Context, extents: Array, params: Params) -> Any:
    """Draws windows, int32[N, 4], of images of these extents (height, width); see `jaxdali.random.resized_crop_window`."""
    from jaxdali._device.random.windows import resized_crop_window

    area, ratio, attempts = (params[name] for name in RANDOM_WINDOW_NAMES[:3])
    return resized_crop_window(context.keys(params["seed"]), extents, area, ratio, attempts)
