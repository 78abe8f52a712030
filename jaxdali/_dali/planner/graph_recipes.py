"""Decides which images of a graph are computed, which only extend a recipe, and how large canvases must be.

This file loads jax; it is imported when a pipeline is built.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence

import numpy as np

from jaxdali._device.image.recipe import next_stage
from jaxdali._run.executor.device_io.canvas import CanvasNeed
from jaxdali.errors import ConfigError
from ..graph.call import Call, DataNode
from ..operators.declaration import declaration_of
from ..operators.image_extents import Extents, joined_extents, same_extents
from ..operators.lazy import Lazy
from .graph_decoding import decoding_of

__all__ = ["Known", "Recipes"]

_BEGIN = "window"  # the stage of an empty recipe
# The limit on operators on pixels in one recipe: each has at most six steps, and a program has 64.
_MOST_ON_PIXELS = 8


@dataclasses.dataclass(frozen=True)
class Known:
    """What is known of a node's images before they exist.

    Attributes:
        extents: how large they are.
        column: that of the images that they start from, to which `extents.bound` refers; None if they start from none.
        decoder: the call that made those; None if they came as arrays.
        stage: the stage of the recipe, as named by `image.recipe.next_stage`.
        lazy: they are a recipe's.
        files: the recipe reads files.
        grows: they may be larger than what the recipe reads.
        one_window: `jaxdali.image.decode_resample` can make them, so far.
        on_pixels: the number of the recipe's steps that work on pixels.
        of_any_form: samples may be sequences or have channels first, so axis numbers may differ from those of images.
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
        """The same images as arrays, with which a new recipe may begin."""
        return dataclasses.replace(
            self, stage=_BEGIN, lazy=False, files=False, grows=False, one_window=False, on_pixels=0
        )


class Recipes:
    """What is known of the images of a graph.

    Args:
        calls: what the device computes, in order.
        column_of: the columns of the nodes of sources.
        outputs: those of the graph.
        largest: the limit, in pixels, of a canvas that is the same in every batch.
        of_any_form: numbers of the columns of sources whose samples may have axes other than [H, W, C].

    Attributes:
        known: for nodes of images, and for nodes that might be images.
        sinks: nodes that no call takes.
        own_channels: columns of files whose images keep their channels.
        unlimited: error texts for nodes whose images would have no size limit, if they are images. Sizes that the host
            reads may turn out to be those of volumes.
        ended: calls that need their first input as arrays, because their steps cannot follow in its recipe.
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
        # Nodes that nothing takes are computed all the same, because they may fail.
        self.sinks = [call.outputs[0] for call in calls if not any(id(node) in taken for node in call.outputs)]
        for node in [*outputs, *self.sinks]:
            self._compute(node)

    def canvas_of(self, node: DataNode) -> tuple[int, int] | None:
        """Returns (height, width) of the canvas for images that differ in size, if it is the same in every batch. None
        if each batch chooses its own.
        """
        known = self.known.get(node)
        if known is None or known.extents.size is not None:
            return None
        return known.extents.most if self._fits(known.extents) else None

    def ragged(self, node: DataNode) -> Call | None:
        """Returns the decoder of images that are as large as their files say; None if they are not, or are on a canvas."""
        known = self.known.get(node)
        if known is None or known.extents.size is not None or self.canvas_of(node) is not None:
            return None
        return known.decoder

    def keeps_channels(self, node: DataNode) -> Call | None:
        """Returns the decoder of images that have the channels of their files; None if they do not."""
        known = self.known.get(node)
        decoding = None if known is None or known.decoder is None else decoding_of(known.decoder)
        return known.decoder if known is not None and decoding is not None and decoding.own_channels else None

    def advice(self, node: DataNode) -> str:
        """Returns what a user can do to give the images of a `ragged` node a canvas."""
        known = self.known[node]
        if known.extents.resized:
            return "give max_size= where they are resized"
        assert known.decoder is not None
        return f"give {known.decoder.operator.display_name} canvas=(height, width), at least those of the largest image"

    def needs(self) -> dict[DataNode, CanvasNeed]:
        """Returns what the canvas must hold, for each node whose images are computed on another canvas in each batch.

        Raises:
            ConfigError: the size of the images has no known limit.
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

    def unbounded(self) -> dict[Call, DataNode]:
        """Returns nodes of images whose extents must be known before a call can be traced, since nothing limits those of
        what is made of them: for each of these calls, the node that it takes.
        """
        found = {}
        for node in self._computed:
            known = self.known[node]
            if known.extents.bound is not None and known.column is not None:
                continue
            if known.lazy and known.extents.size is None and self.canvas_of(node) is None and known.grows:
                call = node.call
                while (before := self.known.get(call.inputs[0])) is not None and before.lazy and call not in self.ended:
                    call = call.inputs[0].call
                found[call] = call.inputs[0]
        return found

    def whole_files(self) -> dict[int, CanvasNeed]:
        """Returns what whole images need, for each column of files that is decoded whole on platforms without a call
        for whole recipes.
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
            self._compute(call.inputs[0])  # because it is also an argument
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
        # An operator that takes axes by number, or counts frames, needs the samples as they are.
        on_images = operator.inputs[0].takes in ("images", "mosaics") or operator.follows_input(call.params)
        counts = lazy.counts_frames is not None and lazy.counts_frames(call.params)
        numbered = before.of_any_form and (counts or not on_images)
        if before.lazy and (
            numbered or self._needs_sizes(lazy, call, before) or _stage_behind(lazy, call, before) is None
        ):
            self.ended.add(call)
            self._compute(call.inputs[0])
            before = before.computed()
        return self._longer_by(lazy, call, before)

    def _needs_sizes(self, lazy: Lazy, call: Call, before: Known) -> bool:
        """Whether the images that a call takes must be computed first, because their own sizes limit its results, but limits
        on these sizes do not.
        """
        if not before.extents.loose or lazy.extents is None:
            return False
        after = lazy.extents(call.params, before.extents)
        return after.size is None and after.bound is None and not self._fits(after)

    def _fits(self, extents: Extents) -> bool:
        """Whether the largest image of all batches is small enough for a canvas."""
        return extents.most is not None and extents.most[0] * extents.most[1] <= self._largest

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
    """Returns what is known of images each of which comes from one of several nodes; None if nothing is."""
    known = [one.computed() for one in several if one is not None]
    if not known:
        return None
    decoders = [one.decoder for one in known if one.decoder is not None]
    first = dataclasses.replace(known[0], decoder=decoders[0] if decoders else None)
    if len(known) < len(several):  # some are arrays of unknown size
        return dataclasses.replace(first, extents=dataclasses.replace(first.extents, size=None, most=None, bound=None))
    columns = {one.column for one in known}
    extents = joined_extents([one.extents for one in known], of_one_source=len(columns) == 1)
    return dataclasses.replace(first, extents=extents, column=columns.pop() if len(columns) == 1 else None)


def _stage_behind(lazy: Lazy, call: Call, before: Known) -> str | None:
    """Returns the stage of a recipe after an operator was added to it, or None if it cannot be added."""
    steps, stage = lazy.steps(call.params), before.stage
    if steps is None or before.on_pixels + _on_pixels(lazy, call) > _MOST_ON_PIXELS:
        return None
    for step in steps:
        stage = None if stage is None else next_stage(stage, step)
    return stage


def _on_pixels(lazy: Lazy, call: Call) -> int:
    return (lazy.steps(call.params) or ()).count("pixels")
