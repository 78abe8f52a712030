"""What is said of results and of times: how far those are from DALI's, and what an application takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from catalogue_case import Case

__all__ = ["FEW", "MANY", "MANY_OF_LONG", "apart", "figures"]

FEW, MANY = 1, 9
# Of what takes so long that the slope is clear of noise with fewer applications and rounds.
MANY_OF_LONG = 3


def apart(case: Case, ours: Sequence[Any], theirs: Sequence[Any]) -> dict[str, Any]:
    """How far results are from DALI's: `largest`, levels of integers or the share of floats' largest number; and the `share`
    of the values that are not equal. `drawn`: they are not compared.

    Raises:
        ValueError: they are too far.
    """
    largest = far = unequal = count = 0.0
    floats = False
    for (layout, mine), (its, other) in zip(ours, theirs, strict=True):
        for one, two in zip(mine, other, strict=True):
            # Names of axes that are stars are for none.
            same = (one.dtype, one.ndim, layout.strip("*")) == (two.dtype, two.ndim, its.strip("*"))
            if not same or (one.shape != two.shape and not case.drawn):
                raise ValueError(f"{one.dtype}{one.shape} {layout!r}, with DALI {two.dtype}{two.shape} {its!r}")
            if case.drawn:
                continue
            is_float = one.dtype.kind == "f"
            floats = floats or is_float
            scale, allowed = (float(np.abs(two).max(initial=1e-6)), 1e-4) if is_float else (1.0, 1.0)
            distance = np.abs(one.astype(np.float64) - two.astype(np.float64)) / scale
            largest = max(largest, float(distance.max(initial=0)))
            far += float((distance > (allowed if case.apart is None else case.apart)).sum())
            unequal += float((distance > 0).sum())
            count += distance.size
    if far > case.off * count:
        raise ValueError(f"{100 * far / count:.3g} % of the values are too far from DALI's, by up to {largest:.3g}")
    return {"drawn": True} if case.drawn else {"largest": largest, "share": unequal / max(count, 1), "floats": floats}


def figures(times: np.ndarray, most: int, middle: Callable[..., Any] = np.median) -> list[float]:
    """Of [rounds, 1 and `most` applications] the microseconds of one: of the medians, or what else is `middle` of the
    rounds, and the least and most of a round.
    """
    slopes = [np.diff(middle(times, axis=0))[0], *(times[:, 1] - times[:, 0])]
    found = 1e6 * np.array(slopes) / (most - FEW)
    return [round(float(one), 1) for one in (found[0], found[1:].min(), found[1:].max())]
