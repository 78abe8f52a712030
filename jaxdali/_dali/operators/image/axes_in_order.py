"""Layouts of operators on images and volumes for which the order of axes counts, and not their letters."""

from __future__ import annotations

import dataclasses
import re

from jaxdali.errors import GraphError
from ..values import BatchValue

__all__ = ["axes_in_order"]

_FORM = re.compile("(?:FC|CF|F|C)?([^FC]+)C?")
_NAMES = {2: "HW", 3: "DHW"}


def axes_in_order(display_name: str, value: BatchValue) -> BatchValue | None:
    """Returns samples whose axes, except for frames and channels, are renamed to height and width, or to depth, height and
    width, in the order that they have. None if these are their names.

    Raises:
        GraphError: frames are not in front, channels are neither first nor last, or there are too many other axes.
    """
    layout = value.layout
    if not layout or len(layout) != value.data.ndim - 1:
        return None
    form = _FORM.fullmatch(layout)
    if form is None or layout.count("C") > 1:
        raise GraphError(
            f"{display_name} expects images or volumes with channels first or last, and frames, if there are any, in front "
            "of the "
            f"other axes, got samples with the layout {layout!r}; transpose them"
        )
    if len(form[1]) > 3:
        raise GraphError(
            f"{display_name} works along 3 axes at most, besides those of frames and channels, and the layout {layout!r} "
            "has "
            f"{len(form[1])}"
        )
    name = _NAMES.get(len(form[1]), form[1])
    return None if name == form[1] else dataclasses.replace(value, layout=layout.replace(form[1], name))
