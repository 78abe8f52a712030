"""Evaluates results and times: how far results are from DALI's, and how long an application takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from catalogue_case import Case

__all__ = ["FEW", "MANY", "MANY_OF_LONG", "apart", "figures"]

FEW, MANY = 1, 9
# For slow operators: the slope is clear of noise with fewer applications and rounds.
MANY_OF_LONG = 3


def apart(case: Case, ours: Sequence[Any], theirs: Sequence[Any]) -> dict[str, Any]:
    """How far results are from DALI's: `largest`, in levels of integers or relative to the largest float; and the
    `share` of values that are not equal. With `drawn`, values are not compared.

    Raises:
        ValueError: they are too far apart.
    """
    largest = far = unequal = count = 0.0
    floats = False
    for (layout, mine), (its, other) in zip(ours, theirs, strict=True):
        for one, two in zip(mine, other, strict=True):
            # Stars stand for axes without names.
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
    """Microseconds of one application, from [rounds, 1 and `most` applications]: the slope of the rounds' medians (or
    another `middle`), and the minimum and maximum over the rounds.
    """
    slopes = [np.diff(middle(times, axis=0))[0], *(times[:, 1] - times[:, 0])]
    found = 1e6 * np.array(slopes) / (most - FEW)
    return [round(float(one), 1) for one in (found[0], found[1:].min(), found[1:].max())]
