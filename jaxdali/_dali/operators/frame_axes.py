"""Applies operators on images to sequences: each frame by itself, with its sample's arguments.

`compute` takes a call, a context and the inputs' values. Inputs without a layout get the assumed one; then operators on
numbers are computed for each frame if they are declared so, and images get channels last, with frames as samples:
arguments are repeated for them, or are their own. It calls the operator's `compute`, and gives its results the form of
the samples again. It relies on `SampleForm`, which knows the way back, and on `_FramesContext`, in which samples are
frames.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from jaxdali._base.aliases import Array
from jaxdali.errors import GraphError
from ..graph.call import Call, map_nodes
from .declaration import Input, declaration_of
from .image.axes_in_order import axes_in_order
from .sample_form import SampleForm
from .values import BatchValue, Context, ImagesValue

__all__ = ["compute", "first_frames"]


class _FramesContext:
    """A `Context` in which frames are the samples."""

    def __init__(self, context: Context, frames: int):
        self.call = context.call
        self.threads = context.threads
        self.affinity = context.affinity
        self._context = context
        self._frames = frames

    @property
    def samples(self) -> int:
        return self._context.samples * self._frames

    def keys(self, seed: int | None) -> Any:
        """Returns keys that are the same for all frames of a sample."""
        return _repeated(self._context.keys(seed), self._frames)

    def report(self, column: int, on_error: str | None, status: object) -> None:
        self._context.report(column, on_error, status)

    def require(self, holds: Any, otherwise: str, shown: Sequence[Any] = ()) -> None:
        import jax.numpy as jnp

        samples = self._context.samples
        holds = jnp.broadcast_to(holds, (self.samples,)).reshape(samples, self._frames)
        first = jnp.arange(samples), jnp.argmin(holds, axis=1)  # the frame that is shown
        shown = [one.reshape(samples, self._frames, *one.shape[1:])[first] for one in shown]
        self._context.require(holds.all(axis=1), otherwise, shown)

    def taken(self) -> Any:
        taken = self._context.taken()
        return None if taken is None else _repeated(taken, self._frames)

    def once(self, key: Hashable, make: Callable[[], object]) -> Any:
        return self._context.once((key, self._frames), make)


def compute(
    call: Call,
    context: Context,
    inputs: list[Any],
    value_of: Callable[[Any], BatchValue],
    argument: Callable[[Context, str, BatchValue], Any],
) -> Any:
    """Computes the operator of a call on its inputs.

    Args:
        value_of: `node -> value`.
        argument: `(context, name, value) -> array`: the value of an argument that is a node, `[N, ...]`; nodes with
            ragged samples stay values if the operator takes them.
    """
    operator = declaration_of(call)
    assert operator.compute is not None
    inputs = _in_assumed_layouts(operator.inputs, inputs)
    if operator.inputs and operator.inputs[0].in_order and isinstance(given_first := inputs[0], BatchValue):
        renamed = axes_in_order(call.operator.display_name, given_first)
        if renamed is not None:
            found = compute(call, context, [renamed, *inputs[1:]], value_of, argument)
            return dataclasses.replace(found, layout=given_first.layout)
    if operator.each_frame is not None and (form := _frames_of_numbers(call, inputs, value_of)) is not None:
        return _of_each_frame(call, context, inputs, form, value_of, argument)
    form = None
    if _counts_frames(call, inputs, value_of):
        inputs = [inputs[0].frames_as_depth, *inputs[1:]]
    # For images that are not computed yet, also parameters of operators on any numbers are per frame.
    takes = operator.inputs[0].takes if operator.inputs else ""
    by_frame = takes in ("images", "mosaics") or (takes == "numbers" and _has_arguments_of_frames(call, value_of))
    if inputs and (isinstance(inputs[0], ImagesValue) or (by_frame and isinstance(inputs[0], BatchValue))):
        inputs, form = _channels_last(context, inputs)

    def given(name: str, node: Any) -> Array:
        value = value_of(node)
        if form is None or form.frames is None:
            _check_frameless(call, inputs, name, value)
            return argument(context, name, value)
        if value.layout.startswith("F"):  # one entry per frame, as `fn.per_frame` declares
            return argument(inner, name, _by_frame(context, name, value, form))
        found = argument(context, name, value)
        return (_of_frames if isinstance(found, BatchValue) else _repeated)(found, form.frames)

    frames = None if form is None else form.frames
    inner = context if frames is None else _FramesContext(context, frames)
    params = {name: map_nodes(value, lambda node, name=name: given(name, node)) for name, value in call.params.items()}
    if form is None:
        return operator.compute(context, *inputs, **params)
    found = operator.compute(inner, *inputs, **params)
    if form.frames is not None and _has_arguments_of_frames(call, value_of):
        _require_one_size(context, form, found[0] if isinstance(found, tuple) else found)
    if not isinstance(found, tuple):
        return _in_form(found, form)
    first, *rest = found
    return _in_form(first, form), *(first_frames(one, form) for one in rest)


def _is_of_frames(value: Any) -> bool:
    return isinstance(value, BatchValue) and value.layout.startswith("F") and value.data.ndim > 1


def _check_frameless(call: Call, inputs: list[Any], name: str, value: Any) -> None:
    """Raises GraphError if an argument has entries for frames of inputs that have none."""
    ragged = any(param.ragged for param in declaration_of(call).params if param.name == name)
    if inputs and not ragged and _is_of_frames(value) and value.data.shape[1] != 1:
        raise GraphError(
            f"{name}= of {call.operator.display_name} has one entry per frame, but it does not work on frames here: the "
            "layout of "
            'its input does not begin with "F", or it takes one value per sequence only'
        )


def _require_one_size(context: Context, form: SampleForm, found: Any) -> None:
    """Requires that all frames of a sample have one size, whatever their own arguments are."""
    import jax.numpy as jnp

    sizes = found.shapes if isinstance(found, BatchValue) else None if found.images.size else found.images.extents
    if sizes is None or not form.frames:
        return
    sizes = jnp.asarray(sizes).reshape(context.samples, form.frames, -1)
    there = jnp.arange(form.frames) < (form.frames if form.own is None else form.own[:, None])
    same = (sizes == sizes[:, :1]).all(axis=2) | ~there
    context.require(
        same.all(axis=1), f"{context.call.operator.display_name} with arguments per frame must give frames of one size"
    )


def _frames_of_numbers(call: Call, inputs: list[Any], value_of: Callable[[Any], BatchValue]) -> SampleForm | None:
    """Returns how many frames the samples of an operator on numbers have; None if it is computed for whole samples."""
    import jax.numpy as jnp

    nodes: list[Any] = []
    map_nodes(list(call.params.values()), nodes.append)
    values = [*inputs, *map(value_of, nodes)]
    of_frames = [value for value in values if _is_of_frames(value)]
    # Whole sequences that share their arguments are computed at once.
    shared = len(of_frames) == 1 and bool(inputs) and of_frames[0] is inputs[0]
    if not of_frames or (shared and not declaration_of(call).each_frame):
        return None
    frames = max(value.data.shape[1] for value in of_frames)
    own: Any = None
    if any(value.shapes is not None for value in of_frames):
        counts = [value.data.shape[1] if value.shapes is None else value.shapes[:, 0] for value in of_frames]
        own = jnp.broadcast_to(functools.reduce(jnp.maximum, counts), (len(of_frames[0].data),))
    return SampleForm("", frames, own)


def _of_each_frame(
    call: Call,
    context: Context,
    inputs: list[Any],
    form: SampleForm,
    value_of: Callable[[Any], BatchValue],
    argument: Callable[[Context, str, BatchValue], Any],
) -> BatchValue:
    """Computes an operator on any numbers for each frame of samples, with arguments that may be those of frames."""
    operator, frames = declaration_of(call), form.frames or 0
    assert operator.compute is not None
    inner = _FramesContext(context, frames)

    def unfolded(value: BatchValue, name: str) -> BatchValue:
        return _by_frame(context, name, value, form) if _is_of_frames(value) else _of_frames(value, frames)

    def given(name: str, node: Any) -> Any:
        return argument(inner, name, unfolded(value_of(node), name))

    params = {name: map_nodes(value, lambda node, name=name: given(name, node)) for name, value in call.params.items()}
    made = operator.compute(inner, *(unfolded(value, operator.inputs[0].name) for value in inputs), **params)
    data, shapes, _ = form.restore(made.data, made.shapes, "")
    if operator.each_frame:
        layout = f"F{operator.each_frame}"
    else:
        first = inputs[0].layout
        layout = first if _is_of_frames(inputs[0]) else f"F{first}" if first else ""
    return BatchValue(data, shapes, layout, made.wide)


def _in_assumed_layouts(declared: Sequence[Input], inputs: list[Any]) -> list[Any]:
    if not declared:  # of arithmetic
        return inputs
    last = len(declared) - 1  # it may stand for several
    return [
        value.assuming(declared[min(place, last)].assumed) if isinstance(value, BatchValue) else value
        for place, value in enumerate(inputs)
    ]


def _counts_frames(call: Call, inputs: list[Any], value_of: Callable[[Any], BatchValue]) -> bool:
    """Whether the operator takes sequences as a whole, since it has a window of several frames."""
    lazy = declaration_of(call).lazy
    if lazy is None or lazy.counts_frames is None or not isinstance(inputs[0], BatchValue):
        return False
    value: BatchValue = inputs[0]
    if not set("FHW") <= set(value.layout) or "D" in value.layout or len(value.layout) != value.data.ndim - 1:
        return False
    return lazy.counts_frames(
        {name: map_nodes(one, lambda node: value_of(node).data) for name, one in call.params.items()}
    )


def _channels_last(context: Context, inputs: list[Any]) -> tuple[list[Any], SampleForm | None]:
    first = inputs[0]
    if isinstance(first, BatchValue) and first.form is None:
        first = first.channels_last
    form: SampleForm | None = first.form
    if form is None or form.frames is None:
        return [first, *inputs[1:]], form
    rest = []
    for value in inputs[1:]:
        if isinstance(value, BatchValue) and value.layout.startswith("F"):
            rest.append(_by_frame(context, "the second input", value, form, one_for_all=False))
        else:
            rest.append(_of_frames(value, form.frames))
    return [first, *rest], form


def _of_frames(value: BatchValue, count: int) -> BatchValue:
    shapes = None if value.shapes is None else _repeated(value.shapes, count)
    return BatchValue(_repeated(value.data, count), shapes, value.layout, value.wide).bounded(value.most)


def _has_arguments_of_frames(call: Call, value_of: Callable[[object], BatchValue]) -> bool:
    nodes: list[Any] = []
    for value in call.params.values():
        map_nodes(value, nodes.append)
    values = [value_of(node) for node in nodes]
    return any(isinstance(value, BatchValue) and value.layout.startswith("F") for value in values)


def _by_frame(context: Context, name: str, value: BatchValue, form: SampleForm, one_for_all: bool = True) -> BatchValue:
    """Converts an argument whose samples have one entry per frame to an argument of frames."""
    import jax.numpy as jnp

    from jaxdali._device.numeric.concatenation import on_canvas

    frames = form.frames or 0
    counts: Any = value.data.shape[1] if value.shapes is None else value.shapes[:, 0]
    wanted = frames if form.own is None else form.own
    context.require(
        jnp.broadcast_to(jnp.asarray(counts == wanted) | (jnp.asarray(counts) == 1) & one_for_all, (context.samples,)),
        f"{name} should have one entry per frame{', or one for all,' * one_for_all} but does not have as many as its "
        "sequence has frames",
    )
    data = on_canvas(value.data, (frames, *value.data.shape[2:]))
    # Fills missing frames with the first entry: it may be that of all frames, and what holds for an argument then holds
    # for frames that do not exist.
    there = jnp.arange(frames) < jnp.reshape(jnp.asarray(counts), (-1, 1))
    data = jnp.where(there.reshape(*there.shape, *[1] * (data.ndim - 2)), data, data[:, :1])
    data = data.reshape(-1, *value.data.shape[2:])
    shapes = None if value.shapes is None else _repeated(value.shapes[:, 1:], frames)
    return BatchValue(data, shapes, value.layout[1:].replace("*", ""), value.wide)


def _in_form(value: Any, form: SampleForm) -> Any:
    if isinstance(value, ImagesValue):
        settled = value.as_arrays()  # else its value would be an ImagesValue again when it is computed
        if isinstance(settled, ImagesValue):
            return settled
        value, form = settled, value.form or form
    return value.in_form(value.form or form)


def first_frames(value: BatchValue, form: SampleForm) -> BatchValue:
    """Returns what was computed for each frame but is the same for all frames of a sample."""
    if form.frames is None:
        return value
    pick = slice(None, None, max(form.frames, 1))
    return BatchValue(value.data[pick], None if value.shapes is None else value.shapes[pick], value.layout, value.wide)


def _repeated(array: Any, count: int) -> Any:
    """Repeats each sample's entry for all its frames."""
    import jax.numpy as jnp

    return jnp.repeat(array, count, axis=0)
