"""From lazy images to arrays: everything of one input in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import jax
import jax.core
import numpy as np

from jaxdali.errors import ConfigError
from .evaluate import Target
from .failure_log import deliver
from .image_arguments import check_size, is_host
from .recipe import Recipe, Size

__all__ = ["evaluate", "evaluate_logged"]


class Lazy(Protocol):
    """What can be evaluated: `jaxdali.image.Images`."""

    @property
    def input(self) -> Any: ...
    @property
    def recipe(self) -> Recipe: ...
    @property
    def size(self) -> Size | None: ...
    @property
    def extents(self) -> Any: ...


def evaluate(
    images: Sequence[Lazy], canvases: Sequence[Size | None], on_error: str | None
) -> tuple[list[jax.Array], jax.Array]:
    """Computes the arrays of images that share one input.

    Args:
        canvases: (height, width) of each array; None: the images' `size`.
        on_error: "raise": an image that cannot be made fails the call when it runs; "zeros": it becomes zeros.

    Returns:
        The arrays; and `int32[N]`, a `jaxdali.image.Status` for each image.

    Raises:
        ConfigError: the images have several inputs; a canvas is missing.
    """
    made = images[0].input
    if any(one.input is not made for one in images):
        raise ConfigError(
            "arrays of several inputs cannot be made in one call; open the batch once, and derive all of them from it"
        )
    targets = [_target(one, canvas) for one, canvas in zip(images, canvases, strict=True)]
    return made.evaluate([one.recipe for one in images], targets, on_error)


def evaluate_logged(images: Sequence[Lazy], canvases: Sequence[Size | None], on_error: Any) -> Any:
    """Like `evaluate`, and returns or logs failures as `on_error` of a user's function says."""
    results, status = evaluate(images, canvases, on_error)
    first = deliver(images[0].input.failures, on_error, results[0], status)
    return (results, status) if isinstance(first, tuple) else results


def _target(images: Lazy, given: Size | None) -> Target:
    recipe, size, canvas = images.recipe, images.size, given
    if canvas is not None:
        canvas = check_size(canvas)
        if size is not None and (canvas[0] < size[0] or canvas[1] < size[1]):
            raise ConfigError(f"canvas is {canvas}, smaller than the images, {size}")
    elif size is None:
        canvas = _known(images.extents)
        if canvas is None:
            raise ConfigError(
                "the images differ in size, so their array needs canvas=(height, width), known while tracing: at least "
                "the largest extents. Or resize them to one size"
            )
    fits = size is not None or given is None
    return Target(canvas or size or (0, 0), recipe.dtype, recipe.layout, recipe.channels, fits)


def _known(extents: jax.Array) -> Size | None:
    """The largest extents, if they are known (outside jit)."""
    if isinstance(extents, jax.core.Tracer):
        return None
    if not is_host(extents):
        extents = jax.device_get(extents)
    height, width = np.asarray(extents).max(axis=0, initial=1)
    return int(height), int(width)
