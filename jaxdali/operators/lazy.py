"""How operators work on images that are not computed yet, in words that a plan can be made of."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from ..graph.call import DataNode, Params
from .extents import Extents

__all__ = ["Lazy"]


@dataclasses.dataclass(frozen=True)
class Lazy:
    """What an operator does to images that are not computed yet: it makes their recipe longer.

    Attributes:
        steps: `params -> names`, what it does one after the other, as `jaxdali.image.can_follow` calls it; None: with these
            parameters it needs arrays.
        extents: `(params, extents) -> extents` of its images; None: they stay.
        limits: `(params, nodes) -> (height, width)` that none of its images exceeds, where the nodes are the inputs that are
            not images; None: unknown.
        grows: its images may be larger than those that it is given; or a function of the parameters that says so.
        one_window: `(stage, params) -> bool`: behind that stage, `jaxdali.image.decode_resample` can do it, too; None: it
            cannot. Platforms without a call for whole recipes decode all of an image for what it cannot do.
    """

    steps: Callable[[Params], Sequence[str] | None]
    extents: Callable[[Params, Extents], Extents] | None = None
    limits: Callable[[Params, Sequence[DataNode]], tuple[int | None, int | None]] | None = None
    grows: bool | Callable[[Params], bool] = False
    one_window: Callable[[str, Params], bool] | None = None
