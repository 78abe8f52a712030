"""Applies operators on images to sequences: each frame by itself, with its sample's arguments."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from ..aliases import Array
from ..graph.call import Call, map_nodes
from .declaration import declaration_of
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
    form = None
    # For images that are not computed yet, also parameters of operators on any numbers are per frame.
    takes = operator.inputs[0].takes if operator.inputs else ""
    by_frame = takes in ("images", "mosaics") or (takes == "numbers" and _has_arguments_of_frames(call, value_of))
    if inputs and (isinstance(inputs[0], ImagesValue) or (by_frame and isinstance(inputs[0], BatchValue))):
        inputs, form = _channels_last(inputs)

    def given(name: str, node: Any) -> Array:
        value = value_of(node)
        if form is None or form.frames is None:
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
    if not isinstance(found, tuple):
        return _in_form(found, form)
    first, *rest = found
    return _in_form(first, form), *(first_frames(one, form) for one in rest)


def _channels_last(inputs: list[Any]) -> tuple[list[Any], SampleForm | None]:
    first = inputs[0].channels_last if isinstance(inputs[0], BatchValue) else inputs[0]
    form: SampleForm | None = first.form
    if form is None or form.frames is None:
        return [first, *inputs[1:]], form
    rest = []
    for value in inputs[1:]:
        if isinstance(value, BatchValue) and value.layout.startswith("F"):
            shapes = None if value.shapes is None else _repeated(value.shapes[:, 1:], form.frames)
            data = value.data.reshape(-1, *value.data.shape[2:])
            rest.append(BatchValue(data, shapes, value.layout[1:]))
        else:
            rest.append(_of_frames(value, form.frames))
    return [first, *rest], form


def _of_frames(value: BatchValue, count: int) -> BatchValue:
    shapes = None if value.shapes is None else _repeated(value.shapes, count)
    return BatchValue(_repeated(value.data, count), shapes, value.layout, value.wide)


def _has_arguments_of_frames(call: Call, value_of: Callable[[object], BatchValue]) -> bool:
    nodes: list[Any] = []
    for value in call.params.values():
        map_nodes(value, nodes.append)
    values = [value_of(node) for node in nodes]
    return any(isinstance(value, BatchValue) and value.layout.startswith("F") for value in values)


def _by_frame(context: Context, name: str, value: BatchValue, form: SampleForm) -> BatchValue:
    """Converts an argument whose samples have one entry per frame to an argument of frames."""
    import jax.numpy as jnp

    from ..numeric.join import on_canvas

    frames = form.frames or 0
    counts: Any = value.data.shape[1] if value.shapes is None else value.shapes[:, 0]
    wanted = frames if form.own is None else form.own
    context.require(
        jnp.broadcast_to(jnp.asarray(counts == wanted), (context.samples,)),
        f"{name} should have one entry per frame, but does not have as many as its sequence has frames",
    )
    data = on_canvas(value.data, (frames, *value.data.shape[2:]))
    # Fills missing frames with the first entry, so that what holds for an argument holds for theirs.
    there = jnp.arange(frames) < jnp.reshape(jnp.asarray(counts), (-1, 1))
    data = jnp.where(there.reshape(*there.shape, *[1] * (data.ndim - 2)), data, data[:, :1])
    data = data.reshape(-1, *value.data.shape[2:])
    shapes = None if value.shapes is None else _repeated(value.shapes[:, 1:], frames)
    return BatchValue(data, shapes, value.layout[1:].replace("*", ""), value.wide)


def _in_form(value: Any, form: SampleForm) -> Any:
    if isinstance(value, ImagesValue):
        settled = value.settled()  # else its value would be an ImagesValue again when it is computed
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
