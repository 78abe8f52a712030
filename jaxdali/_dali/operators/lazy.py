"""Describes to plans what operators do to images that are not computed yet."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from ..graph.call import DataNode, Params
from .image_extents import Extents

__all__ = ["Lazy"]


@dataclasses.dataclass(frozen=True)
class Lazy:
    """What an operator does to images that are not computed yet: it extends their recipe.

    Attributes:
        steps: `params -> names` of the steps that it adds, in order, as named by `image.recipe.next_stage`; returns
            None if it needs arrays with these parameters.
        extents: `(params, extents) -> extents` of its images; None if they stay the same.
        limits: `(params, nodes) -> (height, width)`, limits on its images, given the inputs that are not images; None
            if unknown.
        grows: its images may be larger than its input; or a function of the parameters that says so.
        one_window: `(stage, params) -> bool`: whether `jaxdali.image.decode_resample` can do it after that stage; None
            if it never can. Platforms without a call for whole recipes decode whole images for operators that it cannot
            do.
        counts_frames: whether, with these parameters, it takes sequences as a whole and not frame by frame; a node among
            them means that it may, its values say whether it does.
    """

    steps: Callable[[Params], Sequence[str] | None]
    extents: Callable[[Params, Extents], Extents] | None = None
    limits: Callable[[Params, Sequence[DataNode]], tuple[int | None, int | None]] | None = None
    grows: bool | Callable[[Params], bool] = False
    one_window: Callable[[str, Params], bool] | None = None
    counts_frames: Callable[[Params], bool] | None = None
