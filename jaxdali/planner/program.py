"""The device function of a graph: its operators, one after the other, traced by JAX into one program."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Collection, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ..errors import GraphError
from ..executor.canvas import Canvas
from ..executor.failures import Decoded
from ..executor.transfer import Padded
from ..graph.call import Call, DataNode, map_nodes
from ..image import EncodedBatch
from ..operators.values import BatchValue, EncodedValue
from ..random import sample_keys
from ..workers.affinity import Cpus
from .fusion import Task
from .plan import Plan

__all__ = ["GraphProgram", "TraceContext"]


# In a batch, extents of 0 not counted.
_MOST_NUMBERS = 1 << 48
# In place of an operator's number where it has a seed of its own, which may equal the pipeline's.
_OWN_SEED = (1 << 64) - 1


class TraceContext:
    """What an operator may ask while it is traced: an `operators.values.Context`.

    Attributes:
        call: that is computed now.
        threads: limit of the threads that decode; 0: none.
        affinity: their CPUs.
        statuses: int32[N] of columns that were decoded.
        columns: of files, on which it depends.
    """

    call: Call

    def __init__(self, seed: int, threads: int, affinity: Cpus, epoch: jax.Array, indices: jax.Array):
        self.threads = threads
        self.affinity = affinity
        self.statuses: dict[Decoded, jax.Array] = {}
        self.columns: frozenset[int] = frozenset()
        self._requirements: list[tuple[str, jax.Array, frozenset[int]]] = []
        self._seed = seed
        self._epoch = epoch
        self._indices = indices

    @property
    def samples(self) -> int:
        """Samples of the batch."""
        return self._indices.shape[0]

    def keys(self, seed: int | None) -> jax.Array:
        """One key a sample for a random call; with a seed of its own, that one's stream."""
        if seed is not None:
            return sample_keys(seed, _OWN_SEED, self._epoch, self._indices)
        assert self.call.number is not None
        return sample_keys(self._seed, self.call.number, self._epoch, self._indices)

    def report(self, column: int, on_error: str | None, status: jax.Array) -> None:
        """Says what became of the images of a column; of several calls that decode them, the first failure counts."""
        decoded = Decoded(column, on_error or "")
        before = self.statuses.get(decoded)
        self.statuses[decoded] = status if before is None else jnp.where(before != 0, before, status)

    def require(self, holds: jax.Array, otherwise: str) -> None:
        """A condition on data, `bool[N]`, checked when the batch is handed out: what is said where it does not hold, and
        where the operator was written.
        """
        if self.call.site not in otherwise:
            otherwise = f"{otherwise} [in {self.call.place}]"
        self._requirements.append((otherwise, holds, self.columns))

    def failed(self, columns: Collection[int]) -> jax.Array | None:
        """`bool[N]`, samples whose files in one of the columns could not be decoded; None: none was decoded."""
        found = [status != 0 for decoded, status in self.statuses.items() if decoded.column in columns]
        return functools.reduce(jnp.logical_or, found) if found else None

    def requirements(self) -> dict[str, jax.Array]:
        """The conditions, by what is said. An image that is zeros because it failed need not be large enough, or the
        like.
        """
        merged: dict[str, jax.Array] = {}
        for otherwise, holds, columns in self._requirements:
            failed = self.failed(columns)
            holds = holds if failed is None else holds | failed
            merged[otherwise] = merged[otherwise] & holds if otherwise in merged else holds
        return merged


class GraphProgram:
    """A `DeviceProgram` of a pipeline's graph. Its outputs are `(data, shapes)` pairs, in the order of
    `plan.device_outputs`.

    Attributes:
        layouts: layout of each output, known after the first call.
    """

    def __init__(self, plan: Plan, columns: Sequence[Any], seed: int, threads: int, affinity: Cpus = ()):
        self.inputs: Sequence[int] = plan.inputs
        self.canvas_inputs: Collection[int] = plan.canvas_inputs
        self.takes_mask = False
        self.layouts: list[str] = []
        self._plan = plan
        self._columns = columns
        self._seed = seed
        self._threads = threads
        self._affinity = affinity

    def __call__(
        self, values: list[Any], epoch: jax.Array, indices: jax.Array, canvases: tuple[Canvas | None, ...]
    ) -> tuple[Any, dict[Decoded, jax.Array], dict[str, jax.Array]]:
        context = TraceContext(self._seed, self._threads, self._affinity, epoch, indices)
        known: dict[DataNode, Any] = {}
        arrived = {
            column: _as_value(value, canvas, column, self._columns[column].layout)
            for column, value, canvas in zip(self.inputs, values, canvases, strict=True)
        }
        for node, column in self._plan.column_of.items():
            if column in arrived:
                known[node] = arrived[column]
        origins: dict[DataNode, frozenset[int]] = {}
        made_by: dict[DataNode, Task] = {}
        for task in self._plan.tasks:
            context.call, context.columns = task.call, _origins(task, self._plan, origins)
            found = _compute(task, context, known)
            for node, value in zip(task.call.outputs, found, strict=True):
                known[node], origins[node], made_by[node] = value, context.columns, task
        results = [
            _without_failed(known[node], made_by[node], context, origins[node]) for node in self._plan.device_outputs
        ]
        self.layouts = [value.layout for value in results]
        return [(value.data, value.shapes) for value in results], context.statuses, context.requirements()


def _origins(task: Task, plan: Plan, origins: dict[DataNode, frozenset[int]]) -> frozenset[int]:
    """The columns of files that a task's outputs depend on."""
    mine = frozenset(origin for node in task.dependencies for origin in origins.get(node, ()))
    if task.decodes:
        mine |= {plan.column_of[task.inputs[0]]}
    return mine


def _without_failed(value: BatchValue, made_by: Task, context: TraceContext, columns: frozenset[int]) -> BatchValue:
    """Zeros for samples that were made of an image that is zeros because it failed: with one call for a chain and
    without it. Decoders give zeros themselves.
    """
    failed = context.failed(columns)
    if failed is None or made_by.decodes:
        return value
    data = jnp.where(failed.reshape(-1, *[1] * (value.data.ndim - 1)), jnp.zeros((), value.data.dtype), value.data)
    return dataclasses.replace(value, data=data)


def _compute(task: Task, context: TraceContext, known: dict[DataNode, Any]) -> tuple[BatchValue, ...]:
    try:
        params = {
            name: map_nodes(value, functools.partial(_argument, name, known)) for name, value in task.params.items()
        }
        with jax.named_scope("+".join(call.operator.name for call in task.calls)):
            found = task.compute(context, [known[node] for node in task.inputs], params)
        values = found if isinstance(found, tuple) else (found,)
        for value in values:
            _check_size(value)
        return values
    except Exception as error:
        error.add_note(f"in {context.call.place}")
        raise


def _check_size(value: BatchValue) -> None:
    """Before XLA counts its bytes, which ends the process where 64 bits do not suffice."""
    shape = value.data.shape
    if math.prod(extent or 1 for extent in shape) > _MOST_NUMBERS:
        raise GraphError(f"a batch of shape {shape} has more numbers than any memory holds")


def _argument(name: str, known: dict[DataNode, Any], node: DataNode) -> Any:
    """What a node gives an operator as an argument, `[N, ...]`; of one element a sample `[N]`."""
    value: BatchValue = known[node]
    if value.shapes is not None:
        raise GraphError(
            f"{name.rpartition('.')[2]} is an argument, whose samples have one shape that is known before they are; this "
            "node's may differ"
        )
    single = all(extent == 1 for extent in value.data.shape[1:])
    return value.data.reshape(len(value.data)) if single else value.data


def _as_value(value: Any, canvas: Canvas | None, column: int, layout: str) -> BatchValue | EncodedValue:
    if isinstance(value, EncodedBatch):
        return EncodedValue(value, canvas, column)
    if isinstance(value, Padded):
        data, shapes = value
        return BatchValue(data, shapes, layout)
    return BatchValue(value, None, layout)
