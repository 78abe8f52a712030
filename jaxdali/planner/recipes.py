"""Which images of a graph are computed, and which only lengthen a recipe; and how large the canvases must be.

This file loads jax; it is imported when a pipeline is built.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence

import numpy as np

from ..errors import ConfigError
from ..executor.device_io.canvas import CanvasNeed
from ..graph.call import Call, DataNode
from ..image.images import can_follow
from ..operators.declaration import declaration_of
from ..operators.extents import Extents, joined_extents, same_extents
from ..operators.lazy import Lazy
from .decoding import decoding_of

__all__ = ["Known", "Recipes"]

_BEGIN = "window"  # the stage of a recipe to which nothing was added yet
# Operators on pixels in one recipe. Each has six steps at most, and a program has 64.
_MOST_ON_PIXELS = 8


@dataclasses.dataclass(frozen=True)
class Known:
    """What is known of a node's images before there are any.

    Attributes:
        extents: how large they are.
        column: of the images in which they begin, in which `extents.bound` counts; None: they have no such beginning.
        decoder: that made those; None: they came as arrays.
        stage: of the recipe, as `jaxdali.image.can_follow` calls it.
        lazy: they are a recipe's.
        files: the recipe reads files.
        grows: they may be larger than what the recipe reads.
        one_window: `jaxdali.image.decode_resample` can make them, so far.
        on_pixels: steps of the recipe that work on pixels.
        of_any_form: its samples may be sequences, or have channels first: axes by number are not those of images.
    """

    extents: Extents
    column: int | None = None
    decoder: Call | None = None
    stage: str = _BEGIN
    lazy: bool = False
    files: bool = False
    grows: bool = False
    one_window: bool = False
    on_pixels: int = 0
    of_any_form: bool = False

    def computed(self) -> Known:
        """The same as arrays, with which a recipe may begin."""
        return dataclasses.replace(
            self, stage=_BEGIN, lazy=False, files=False, grows=False, one_window=False, on_pixels=0
        )


class Recipes:
    """What is known of the images of a graph.

    Args:
        calls: that the device computes, in order.
        column_of: of the nodes of sources.
        outputs: of the graph.
        largest: pixels that a canvas may have that no batch asked for.
        of_any_form: numbers of the columns of sources whose samples may have other axes than [H, W, C].

    Attributes:
        known: of nodes of images, and of others that might be.
        sinks: nodes that no call takes.
        own_channels: columns of files whose images keep their channels.
        unlimited: of nodes whose images nothing limits, if they are images: what to say then. Sizes that the host sees may
            turn out to be those of volumes.
        ended: of calls, that must have their first input as arrays, as their steps cannot follow in its recipe.
    """

    def __init__(
        self,
        calls: Sequence[Call],
        column_of: dict[DataNode, int],
        outputs: Sequence[DataNode],
        largest: int,
        of_any_form: Collection[int] = (),
    ):
        self.known: dict[DataNode, Known] = {}
        self.own_channels: set[int] = set()
        self.ended: set[Call] = set()
        self.unlimited: dict[DataNode, str] = {}
        self._largest = largest
        self._computed: dict[DataNode, None] = {}
        for node, column in column_of.items():
            self.known[node] = Known(Extents(exact=False), column, of_any_form=column in of_any_form)
        for call in calls:
            self._follow(call, column_of)
        taken = {id(node) for call in calls for node in call.dependencies}
        # What nobody takes, and is computed all the same: it may fail.
        self.sinks = [call.outputs[0] for call in calls if not any(id(node) in taken for node in call.outputs)]
        for node in [*outputs, *self.sinks]:
            self._compute(node)

    def canvas_of(self, node: DataNode) -> tuple[int, int] | None:
        """(height, width) of the canvas in every batch of images that differ in size; None: batches choose theirs."""
        known = self.known.get(node)
        if known is None or known.extents.size is not None or known.extents.most is None:
            return None
        height, width = known.extents.most
        return (height, width) if height * width <= self._largest else None

    def ragged(self, node: DataNode) -> Call | None:
        """The decoder of images that are as large as their files have it; None: they are not, or on a canvas."""
        known = self.known.get(node)
        if known is None or known.extents.size is not None or self.canvas_of(node) is not None:
            return None
        return known.decoder

    def keeps_channels(self, node: DataNode) -> Call | None:
        """The decoder of images that have the channels of their files; None: they do not."""
        known = self.known.get(node)
        decoding = None if known is None or known.decoder is None else decoding_of(known.decoder)
        return known.decoder if known is not None and decoding is not None and decoding.own_channels else None

    def advice(self, node: DataNode) -> str:
        """What gives the images of a `ragged` node a canvas."""
        known = self.known[node]
        if known.extents.resized:
            return "give max_size= where they are resized"
        assert known.decoder is not None
        return f"give {known.decoder.operator.spoken} canvas=(height, width), at least those of the largest image"

    def needs(self) -> dict[DataNode, CanvasNeed]:
        """Of each node whose images are computed, and are on another canvas in each batch, what that must hold.

        Raises:
            ConfigError: nothing says how large they may be.
        """
        found = {}
        for node in self._computed:
            known = self.known[node]
            extents = known.extents
            fixed = extents.size is not None or self.canvas_of(node) is not None
            if not known.lazy or fixed or not (known.files or known.grows):
                continue
            if extents.bound is None or known.column is None:
                described = node.call.description
                said = (
                    f"the sizes of the images of {described}, are not known before they are computed: {extents.advice}"
                )
                if all(operand.measured is None for operand in node.call.operands):
                    raise ConfigError(said)
                self.unlimited[node] = said
                continue
            found[node] = CanvasNeed(known.column, extents.bound, extents.exact)
        return found

    def whole_files(self) -> dict[int, CanvasNeed]:
        """Of each column of files whose images are decoded whole, on platforms without a call for whole recipes, what they
        need.
        """
        found = {}
        for node in self._computed:
            known = self.known[node]
            if known.files and not (known.one_window and known.stage != _BEGIN):
                assert known.column is not None
                found[known.column] = CanvasNeed(known.column, same_extents, exact=True)
        return found

    def _compute(self, node: DataNode) -> None:
        if (known := self.known.get(node)) is not None and known.lazy:
            self._computed[node] = None

    def _follow(self, call: Call, column_of: dict[DataNode, int]) -> None:
        operator = declaration_of(call)
        known: Known | None = None
        first = self.known.get(call.inputs[0]) if call.inputs else None
        if operator.decoding is not None:
            known = self._opened(call, column_of[call.inputs[0]])
        elif operator.lazy is not None:
            known = self._longer(call, first or Known(Extents(bound=None), of_any_form=True))
        elif operator.joins:
            known = _joined([self.known.get(call.inputs[number]) for number in operator.joins])
        elif first is not None and operator.follows_input(call.params):
            known = first.computed()
        takes_recipes = operator.decoding is not None or operator.lazy is not None
        for node in call.dependencies:
            if not takes_recipes or node is not call.inputs[0]:
                self._compute(node)
        if takes_recipes and any(node is call.inputs[0] for node in call.dependencies[1:]):
            self._compute(call.inputs[0])  # it is an argument, too
        if known is not None:
            self.known[call.outputs[0]] = known

    def _opened(self, call: Call, column: int) -> Known:
        operator = declaration_of(call)
        decoding = decoding_of(call)
        assert decoding is not None
        if decoding.own_channels:
            self.own_channels.add(column)
        if decoding.canvas is None:
            begin = Known(Extents(), column, call, lazy=True, files=True, one_window=True)
        else:
            most = np.asarray([decoding.canvas], np.int64)
            begin = Known(
                Extents(most=decoding.canvas, bound=lambda extents: np.minimum(extents, most), exact=False),
                column,
                call,
            )
        return begin if operator.lazy is None else self._longer_by(operator.lazy, call, begin)

    def _longer(self, call: Call, before: Known) -> Known:
        operator = declaration_of(call)
        lazy = operator.lazy
        assert lazy is not None
        # What takes axes by number wants samples as they are.
        numbered = (
            before.of_any_form
            and operator.inputs[0].takes not in ("images", "mosaics")
            and not operator.follows_input(call.params)
        )
        if before.lazy and (numbered or _stage_behind(lazy, call, before) is None):
            self.ended.add(call)
            self._compute(call.inputs[0])
            before = before.computed()
        return self._longer_by(lazy, call, before)

    def _longer_by(self, lazy: Lazy, call: Call, before: Known) -> Known:
        extents = before.extents if lazy.extents is None else lazy.extents(call.params, before.extents)
        if lazy.limits is not None:
            extents = extents.limited(*lazy.limits(call.params, call.inputs[1:]))
        after = dataclasses.replace(before, extents=extents)
        stage = _stage_behind(lazy, call, before)
        if stage is None:
            return after.computed()
        return dataclasses.replace(
            after,
            stage=stage,
            lazy=True,
            grows=before.grows or (lazy.grows(call.params) if callable(lazy.grows) else lazy.grows),
            one_window=before.one_window and lazy.one_window is not None and lazy.one_window(before.stage, call.params),
            on_pixels=before.on_pixels + _on_pixels(lazy, call),
        )


def _joined(several: Sequence[Known | None]) -> Known | None:
    """What is known of images each of which is one of several; None: nothing is."""
    known = [one.computed() for one in several if one is not None]
    if not known:
        return None
    decoders = [one.decoder for one in known if one.decoder is not None]
    first = dataclasses.replace(known[0], decoder=decoders[0] if decoders else None)
    if len(known) < len(several):  # arrays, of which nothing is
        return dataclasses.replace(first, extents=dataclasses.replace(first.extents, size=None, most=None, bound=None))
    columns = {one.column for one in known}
    extents = joined_extents([one.extents for one in known], of_one_source=len(columns) == 1)
    return dataclasses.replace(first, extents=extents, column=columns.pop() if len(columns) == 1 else None)


def _stage_behind(lazy: Lazy, call: Call, before: Known) -> str | None:
    """The stage of a recipe that an operator makes longer; None: it cannot."""
    steps, stage = lazy.steps(call.params), before.stage
    if steps is None or before.on_pixels + _on_pixels(lazy, call) > _MOST_ON_PIXELS:
        return None
    for step in steps:
        stage = None if stage is None else can_follow(stage, step)
    return stage


def _on_pixels(lazy: Lazy, call: Call) -> int:
    return (lazy.steps(call.params) or ()).count("pixels")
