"""The augmentations of AutoAugment, RandAugment and TrivialAugment, and their strengths, as tables.

The tables have, for each augmentation, the arguments of a pass over all images.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from jaxdali.errors import ConfigError
from ..image.level_changes import CHANGES

__all__ = ["NOTHING", "Ranged", "Row", "Tables", "Translation", "magnitude_of", "policy_suite", "suite_of", "tables_of"]

_LEVELS = ("brightness", "contrast", "auto_contrast", "equalize", "posterize", "solarize", "solarize_add", "invert")
_MOVES = ("shear_x", "shear_y", "translate_x", "translate_y", "rotate")


@dataclasses.dataclass(frozen=True)
class Ranged:
    """An augmentation and its magnitudes.

    Attributes:
        first, last: magnitudes of the first and of the last bin; `first` is None if it has none.
        signed: the magnitude is negated at random.
        around_one: the factor is 1 plus the magnitude.
    """

    name: str
    first: float | None = None
    last: float = 0.0
    signed: bool = False
    around_one: bool = False


@dataclasses.dataclass(frozen=True)
class Translation:
    """The largest translation of images.

    Attributes:
        height, width: in pixels, or in extents of the image if `relative`.
    """

    height: float
    width: float
    relative: bool


@dataclasses.dataclass(frozen=True)
class Row:
    """One choice for an image: an augmentation with a magnitude."""

    one: Ranged
    magnitude: float = 0.0


NOTHING = Row(Ranged("identity"))


@dataclasses.dataclass(frozen=True)
class Tables:
    """Arguments of the passes, two entries per row; the second has the negated magnitude.

    Attributes:
        change, number: those of `image.levels.change_levels`.
        saturation: factors.
        sharpness: those of `image.levels.sharpen`.
        linear: `[2, 2]`, from positions (x, y) in the result to those in the image.
        offset: `[2]`, added to these positions, in pixels.
        relative: `[2, 2]`, times (width, height), added as well.
        passes: which of "levels", "color", "sharpness" and "moves" have an effect.
    """

    change: np.ndarray
    number: np.ndarray
    saturation: np.ndarray
    sharpness: np.ndarray
    linear: np.ndarray
    offset: np.ndarray
    relative: np.ndarray
    passes: frozenset[str]


def magnitude_of(one: Ranged, bins: int, which: int | None) -> float:
    """Returns the magnitude of a bin."""
    return 0.0 if one.first is None or which is None else float(np.linspace(one.first, one.last, bins)[which])


def _mask(magnitude: float) -> int:
    """Returns the mask of `posterize`, which keeps this many upper bits, at least one."""
    return 256 - (1 << (8 - min(max(int(np.round(magnitude)), 1), 8)))


def tables_of(rows: Sequence[Row], far: Translation | None) -> Tables:
    """Makes the tables of some rows."""
    count = 2 * len(rows)
    change, number, sharpness = np.zeros(count, np.int32), np.zeros(count, np.float32), np.zeros(count, np.float32)
    saturation, linear = np.ones(count, np.float32), np.tile(np.eye(2), (count, 1, 1))
    offset, relative = np.zeros((count, 2)), np.zeros((count, 2, 2))
    passes = set()
    for k in range(count):
        one, magnitude = rows[k // 2].one, rows[k // 2].magnitude * (-1 if k % 2 and rows[k // 2].one.signed else 1)
        factor = 1 + magnitude if one.around_one else magnitude
        if one.name in _LEVELS:
            change[k] = CHANGES.index(one.name)
            of_levels = {"brightness": factor, "contrast": factor, "posterize": _mask(magnitude)}
            number[k] = of_levels.get(one.name, int(magnitude) if one.name == "solarize_add" else magnitude)
            passes.add("levels")
        elif one.name == "color":
            saturation[k] = factor
            passes.add("color")
        elif one.name == "sharpness":
            sharpness[k] = factor - 1
            passes.add("sharpness")
        elif one.name in _MOVES:
            linear[k], offset[k], relative[k] = _move(one.name, magnitude, far)
            passes.add("moves")
    linear, offset, relative = (array.astype(np.float32) for array in (linear, offset, relative))
    return Tables(change, number, saturation, sharpness, linear, offset, relative, frozenset(passes))


def _move(name: str, magnitude: float, far: Translation | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns `linear`, `offset` and `relative` of one augmentation."""
    linear, offset, relative = np.eye(2), np.zeros(2), np.zeros((2, 2))
    axis = 0 if name.endswith("x") else 1
    if name == "rotate":
        angle = np.deg2rad(magnitude)
        linear = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        relative = (np.eye(2) - linear) / 2  # keeps the middle where it is
    elif name.startswith("shear"):
        linear[axis, 1 - axis] = -magnitude
    elif far is not None and far.relative:
        relative[axis, axis] = -magnitude
    else:
        offset[axis] = -magnitude
    return linear, offset, relative


# SUITES ---------------------------------------------------------------------------------------------------------------


def _translations(far: Translation) -> list[Ranged]:
    return [Ranged("translate_x", 0, far.width, signed=True), Ranged("translate_y", 0, far.height, signed=True)]


def policy_suite(far: Translation) -> dict[str, Ranged]:
    """Returns the augmentations of AutoAugment's policies by name."""
    several = [
        *_translations(far),
        *(Ranged(f"shear_{axis}", 0, 0.3, signed=True) for axis in "xy"),
        Ranged("rotate", 0, 30, signed=True),
        *(Ranged(name, 0.1, 1.9) for name in ("brightness", "contrast", "color", "sharpness")),
        Ranged("posterize", 0, 4),
        Ranged("solarize", 0, 256),
        Ranged("solarize_add", 0, 110),
        *(Ranged(name) for name in ("invert", "equalize", "auto_contrast")),
    ]
    return {one.name: one for one in several}


def suite_of(far: Translation, wide: bool, monotonic: bool, excluded: Sequence[str]) -> list[Ranged]:
    """Returns the augmentations of RandAugment, or with `wide` those of TrivialAugment.

    Raises:
        ConfigError: an excluded augmentation does not exist, or all are excluded.
    """
    shear, turn, bits = (0.99, 135, 2) if wide else (0.3, 30, 4)
    least, most = (0.01, 0.99) if wide else (0.0, 0.9)
    several = [
        *_translations(far),
        *(Ranged(f"shear_{axis}", 0, shear, signed=True) for axis in "xy"),
        Ranged("rotate", 0, turn, signed=True),
    ]
    factors = ("brightness", "contrast", "color", "sharpness")
    if monotonic:
        several += [Ranged(name, least, most, signed=True, around_one=True) for name in factors]
        several += [Ranged("posterize", 8, bits), Ranged("solarize", 256, 0)]
    else:
        several += [Ranged(name, 0.1, 1.9) for name in factors]
        several += [Ranged("posterize", 0, 4), Ranged("solarize", 0, 256)]
    several += [Ranged(name) for name in ("equalize", "auto_contrast", "identity")]
    names = [one.name for one in several]
    unknown = [name for name in excluded if name not in names]
    if unknown or len(set(excluded)) == len(names):
        raise ConfigError(f"excluded= may leave out some of {', '.join(names)}, not all; got {list(excluded)!r:.80}")
    return [one for one in several if one.name not in excluded]
