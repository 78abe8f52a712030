"""The device function of a graph: its operators, one after the other, traced by JAX into one program."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ..executor.canvas import Canvas
from ..executor.failures import Decoded
from ..executor.transfer import Padded
from ..image import EncodedBatch
from ..random import sample_keys
from .node import DataNode, Operator
from .plan import Plan
from .value import BatchValue, EncodedValue

__all__ = ["Context", "GraphProgram"]


# In place of an operator's number where it has a seed of its own, which may equal the pipeline's.
_OWN_SEED = (1 << 64) - 1


class Context:
    """What an operator may ask while it is traced.

    Attributes:
        threads: limit of the threads that decode; 0: none.
        statuses: int32[N] of columns that were decoded.
        requirements: what must hold for every sample, `bool[N]`, by what is said where it does not.
    """

    def __init__(self, seed: int, threads: int, epoch: jax.Array, indices: jax.Array):
        self.threads = threads
        self.statuses: dict[Decoded, jax.Array] = {}
        self.requirements: dict[str, jax.Array] = {}
        self._seed = seed
        self._epoch = epoch
        self._indices = indices

    def keys(self, operator: int, seed: int | None) -> jax.Array:
        """One key a sample for the random operator number `operator`; with a seed of its own, that one's stream."""
        if seed is not None:
            return sample_keys(seed, _OWN_SEED, self._epoch, self._indices)
        return sample_keys(self._seed, operator, self._epoch, self._indices)

    def report(self, column: int, on_error: str | None, status: jax.Array) -> None:
        """Says what became of the images of a column; of several calls that decode them, the first failure counts."""
        decoded = Decoded(column, on_error or "")
        before = self.statuses.get(decoded)
        self.statuses[decoded] = status if before is None else jnp.where(before != 0, before, status)

    def require(self, holds: jax.Array, otherwise: str) -> None:
        """A condition on data, checked when the batch is handed out."""
        self.requirements[otherwise] = holds


class GraphProgram:
    """A `DeviceProgram` of a pipeline's graph. Its outputs are `(data, shapes)` pairs, in the order of
    `plan.device_outputs`.

    Attributes:
        layouts: layout of each output, known after the first call.
    """

    def __init__(self, plan: Plan, columns: Sequence[Any], seed: int, threads: int):
        self.inputs: Sequence[int] = plan.inputs
        self.canvas_inputs: Collection[int] = plan.canvas_inputs
        self.layouts: list[str] = []
        self._plan = plan
        self._columns = columns
        self._seed = seed
        self._threads = threads

    def __call__(
        self, values: list[Any], epoch: jax.Array, indices: jax.Array, canvases: tuple[Canvas | None, ...]
    ) -> tuple[Any, dict[Decoded, jax.Array], dict[str, jax.Array]]:
        context = Context(self._seed, self._threads, epoch, indices)
        known: dict[DataNode, Any] = {}
        arrived = {
            column: _as_value(value, canvas, column, self._columns[column].layout)
            for column, value, canvas in zip(self.inputs, values, canvases, strict=True)
        }
        for node, column in self._plan.column_of.items():
            if column in arrived:
                known[node] = arrived[column]
        for operator in self._plan.operators:
            known[operator.outputs[0]] = _evaluate(operator, context, known)
        results: list[BatchValue] = [known[node] for node in self._plan.device_outputs]
        self.layouts = [value.layout for value in results]
        return [(value.data, value.shapes) for value in results], context.statuses, context.requirements


def _evaluate(operator: Operator, context: Context, known: dict[DataNode, Any]) -> BatchValue:
    arguments = {
        name: known[value].data if isinstance(value, DataNode) else value for name, value in operator.arguments.items()
    }
    assert operator.evaluate is not None
    try:
        with jax.named_scope(operator.kind):
            return operator.evaluate(context, [known[node] for node in operator.inputs], arguments)
    except Exception as error:
        error.add_note(f"in fn.{operator.kind} ({operator.name}), defined at {operator.site}")
        raise


def _as_value(value: Any, canvas: Canvas | None, column: int, layout: str) -> BatchValue | EncodedValue:
    if isinstance(value, EncodedBatch):
        return EncodedValue(value, canvas, column)
    if isinstance(value, Padded):
        data, shapes = value
        return BatchValue(data, shapes, layout)
    return BatchValue(value, None, layout)
