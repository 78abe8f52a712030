"""Random windows of images, as several operators take them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from ..errors import ConfigError, check_integer
from ..pipeline.node import DataNode, Operator
from .arguments import check_seed

__all__ = ["RandomWindow"]


@dataclasses.dataclass(frozen=True)
class RandomWindow:
    """Draws a window for each image; see `jaxdali.random.resized_crop_window`."""

    area: tuple[float, float]
    aspect_ratio: tuple[float, float]
    attempts: int
    seed: int | None

    @classmethod
    def of(cls, kind: str, random_area: Any, random_aspect_ratio: Any, num_attempts: Any, seed: Any) -> RandomWindow:
        """From DALI's arguments of `fn.kind`.

        Raises:
            ConfigError: a range is empty or out of bounds.
        """
        return cls(
            _bounds(kind, "random_area", random_area, 1.0),
            _bounds(kind, "random_aspect_ratio", random_aspect_ratio, 64.0),
            check_integer("num_attempts", num_attempts, 1, 1000),
            check_seed(seed),
        )

    def __call__(self, context: Any, operator: Operator, shapes: Any) -> Any:
        """int32[N, 4], windows of images of these shapes; `operator` is the one that draws."""
        from ..random import resized_crop_window

        keys = context.keys(operator.random_index, self.seed)
        return resized_crop_window(keys, shapes, self.area, self.aspect_ratio, self.attempts)


def _bounds(kind: str, name: str, value: Sequence[float], most: float) -> tuple[float, float]:
    try:
        if isinstance(value, DataNode):
            raise TypeError
        low, high = (float(bound) for bound in value)
    except (TypeError, ValueError, OverflowError):
        raise ConfigError(f"fn.{kind}({name}=) wants (smallest, largest), known beforehand; got {value!r}") from None
    least = 0.0 if most == 1 else 1 / most
    if not (least <= low <= high <= most and low > 0):
        raise ConfigError(
            f"fn.{kind}({name}={value!r}): expected smallest <= largest, both {least:g} to {most:g}, not 0"
        )
    return low, high
