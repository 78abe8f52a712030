"""What is known of the extents of images beforehand, from arguments or from the headers of a batch's files."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.call import DataNode

__all__ = ["Bound", "Extents", "Measured", "constant_value", "joined_extents", "limits_of", "same_extents"]

_NO_LIMIT = 1 << 40
# From the extents `int64[N, 2]` of a batch's original images, returns limits on the extents behind some operators.
Bound = Callable[[np.ndarray], np.ndarray]


def same_extents(extents: np.ndarray) -> np.ndarray:
    """The `Bound` of operators that keep the extents of images."""
    return extents


@dataclasses.dataclass(frozen=True)
class Extents:
    """What is known beforehand of the extents (height, width) of a node's images.

    Attributes:
        size: that of all images; None if they may differ.
        most: the limit in every batch; None if no argument sets one.
        bound: returns the limits for a batch; None if unknown.
        exact: the bound equals the extents.
        loose: images may be smaller than the bound, which then does not limit what does not grow with them, such as the
            longer axis where the shorter one is given. Images that are larger than a decoder's canvas fail.
        resized: their extents differ from those of the files that they come from.
        advice: what the user can do if nothing is known but something must be.
    """

    size: tuple[int, int] | None = None
    most: tuple[int, int] | None = None
    bound: Bound | None = same_extents
    exact: bool = True
    loose: bool = False
    resized: bool = False
    advice: str = "resize the images to a size that is given"

    @classmethod
    def of_size(cls, height: int, width: int) -> Extents:
        """Makes the extents of images that all have one size."""
        return cls((height, width), (height, width))

    def within(self, bound: Callable[[np.ndarray], np.ndarray] | None = None, exact: bool = False) -> Extents:
        """Returns the extents of parts of these images. `bound` is applied to the extents; None if a part is no larger
        than its image.
        """
        if bound is None:
            bound = same_extents
        before = self.size or self.most
        most = None if before is None else _pair(bound(np.asarray([before], np.int64)))
        return dataclasses.replace(
            self,
            size=most if exact and self.size is not None else None,
            most=most,
            bound=self.then(bound),
            exact=exact and self.exact,
            loose=self.loose or not exact,
        )

    def limited(self, height: int | None, width: int | None) -> Extents:
        """Returns the extents if no image is higher or wider than this; None for an unknown limit."""
        if self.size is not None or (height is None and width is None):
            return self
        most = np.asarray([[_NO_LIMIT if one is None else one for one in (height, width)]], np.int64)
        found = self.within(lambda extents: np.minimum(extents, most))
        if found.most is None and height is not None and width is not None:
            found = dataclasses.replace(found, most=(height, width))
        return found

    def then(self, bound: Bound) -> Bound | None:
        """Returns the bound of an operator's results, given these images."""
        before = self.bound
        return None if before is None else lambda extents: bound(before(extents))


def joined_extents(several: Sequence[Extents], of_one_source: bool) -> Extents:
    """Joins the extents of several nodes, for images each of which comes from one of them.

    Args:
        of_one_source: their bounds refer to the same images.
    """
    sizes = {one.size for one in several}
    most = [one.size or one.most for one in several]
    bounds = [one.bound for one in several if one.bound is not None]
    return Extents(
        size=sizes.pop() if len(sizes) == 1 else None,
        most=None if None in most else _pair(np.asarray(most, np.int64).max(axis=0, keepdims=True)),
        bound=_largest(bounds) if of_one_source and len(bounds) == len(several) else None,
        exact=False,
        loose=len(several) > 1 or several[0].loose,
        resized=any(one.resized for one in several),
        advice=several[0].advice,
    )


def _largest(bounds: Sequence[Bound]) -> Bound:
    return lambda extents: functools.reduce(np.maximum, (bound(extents) for bound in bounds))


def _pair(extents: np.ndarray) -> tuple[int, int]:
    height, width = extents[0].tolist()
    return height, width


@dataclasses.dataclass(eq=False)
class Measured:
    """A node whose numbers the host reads, batch by batch.

    Attributes:
        each: upper limits of each number of a sample are needed, too.
        limits: (least, largest) of the present batch, or wider limits; None before the first batch.
        places: upper limits of each number of a sample; empty if they are not needed, or samples differ in length.
    """

    each: bool = False
    limits: tuple[float, float] | None = None
    places: tuple[float, ...] = ()

    def set_bound(self, limits: tuple[float, float, tuple[float, ...]]) -> None:
        """Sets the limits: the least, the largest, and those of each number."""
        least, largest, self.places = limits
        self.limits = least, largest


def constant_value(node: DataNode) -> np.ndarray | None:
    """Returns the numbers of a `fn.constant`; None for other nodes."""
    value: np.ndarray | None = node.call.params["value"] if node.call.operator.name == "constant" else None
    return value


def limits_of(node: DataNode) -> tuple[float, float] | None:
    """Returns (least, largest) of a node's numbers; None if they are not known beforehand."""
    operator: Any = node.call.operator
    if node.measured is not None:
        limits: tuple[float, float] | None = node.measured.limits
        return limits
    return None if operator.limits is None else operator.limits(node.call.params, [*map(limits_of, node.call.inputs)])
