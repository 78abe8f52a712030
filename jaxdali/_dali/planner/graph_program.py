"""The device function of a subgraph: its operators, traced by JAX into one program.

Images are computed as late as possible, so that one call makes all images of the same files and reads each file once.

In come the columns' values, and what the host chose for each of `GraphProgram.needs`, in that order: bounds, canvases,
channels, types of 64 bits. `_Run` computes all calls that need no pixels, then the images that others wait for or that
are handed out, and so on, round by round. Out go the outputs and their shapes, a status for each image, and conditions
on data. It relies on `Subgraph` for the order of calls, and on `Recipes` for where recipes end.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any, cast

import jax
import jax.numpy as jnp
import numpy as np

from jaxdali._base.aliases import Array
from jaxdali._base.cpus import Cpus
from jaxdali._device.image.encoded import EncodedBatch
from jaxdali._device.random.keys import sample_keys
from jaxdali._run.executor.condition import Condition
from jaxdali._run.executor.decode_failures import Decoded
from jaxdali._run.executor.device_io.canvas import Canvas, ChannelsNeed, Need, WideNeed
from jaxdali._run.executor.device_io.transfer import Padded
from jaxdali.errors import ConfigError, GraphError
from ..graph.call import Call, DataNode
from ..operators import frame_axes as frames
from ..operators.declaration import declaration_of
from ..operators.extent_bounds import known_most
from ..operators.float64 import is_narrowed, warn_of_narrowing
from ..operators.values import BatchValue, Context, EncodedValue, ImagesValue
from .data_sizes import measured_needs
from .graph_decoding import takes_files
from .graph_recipes import Recipes
from .recipe_values import Asked, compute_images
from .subgraphs import Subgraph

__all__ = ["GraphProgram", "TraceContext"]


# The limit on the numbers in a batch, with extents of 0 counted as 1.
_MOST_NUMBERS = 1 << 48
# Replaces an operator's number if it has a seed of its own, which may equal the pipeline's.
_OWN_SEED = (1 << 64) - 1


class TraceContext:
    """What an operator can ask for while it is traced: an `operators.values.Context`.

    Attributes:
        call: the call that is being traced.
        threads: the limit on threads that decode; 0 for no limit.
        affinity: the CPUs of these threads.
        statuses: int32[N] for each column that was decoded.
        columns: the columns of files that the call depends on.
        known: values of nodes, including all that calls branch on.
    """

    call: Call

    def __init__(self, threads: int, affinity: Cpus, origin: tuple[jax.Array, ...], indices: jax.Array):
        self.threads = threads
        self.affinity = affinity
        self.statuses: dict[Decoded, jax.Array] = {}
        self.columns: frozenset[int] = frozenset()
        self.known: Mapping[DataNode, Any] = {}
        self._requirements: list[tuple[Call, str, Condition, frozenset[int]]] = []
        self._made: dict[Hashable, Any] = {}
        self._origin = origin
        self._indices = indices

    @property
    def samples(self) -> int:
        """The number of samples in the batch."""
        return self._indices.shape[0]

    def keys(self, seed: int | None) -> jax.Array:
        """Returns one key per sample for a random call; from the call's own seed if it has one."""
        if seed is not None:
            return sample_keys(seed, _OWN_SEED, self._origin[1], self._indices)
        assert self.call.number is not None
        return sample_keys(self._origin[0], self.call.number, self._origin[1], self._indices)

    def report(self, column: int, on_error: str | None, status: jax.Array) -> None:
        """Reports the statuses of a column's images. If several calls decode them, the first failure counts."""
        decoded = Decoded(column, on_error or "")
        before = self.statuses.get(decoded)
        self.statuses[decoded] = status if before is None else jnp.where(before != 0, before, status)

    def require(self, holds: jax.Array, otherwise: str, shown: Sequence[jax.Array] = ()) -> None:
        """Adds a condition on data, `bool[N]`, that is checked when the batch is handed out. If it does not hold, the
        error has the text `otherwise`, with what is shown, and where the operator was written.
        """
        if self.call.site not in otherwise:
            otherwise = f"{otherwise} [in {self.call.description}]"
        self._requirements.append((self.call, otherwise, Condition(holds, tuple(shown)), self.columns))

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Returns what `make` returns, and calls it only once per key."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def failed(self, columns: Collection[int]) -> jax.Array | None:
        """Returns `bool[N]`: which samples have files in one of the columns that could not be decoded. None if nothing
        was decoded.
        """
        found = [status != 0 for decoded, status in self.statuses.items() if decoded.column in columns]
        return functools.reduce(jnp.logical_or, found) if found else None

    def taken(self) -> jax.Array | None:
        """Returns `bool[N]`: which samples take the branches that the call is in; None if it is in none."""
        return self._takes(self.call)

    def _takes(self, call: Call) -> jax.Array | None:
        taken = [(self.known[node].data.reshape(self.samples) != 0) == wanted for node, wanted in call.branch]
        return functools.reduce(jnp.logical_and, taken) if taken else None

    def requirements(self) -> dict[str, Condition]:
        """Returns the conditions, by their error text. A condition is waived for a sample whose image failed and is
        zeros, and in a branch that the sample does not take.
        """
        merged: dict[str, Condition] = {}
        for call, otherwise, condition, columns in self._requirements:
            failed, holds = self.failed(columns), condition.holds
            holds = holds if failed is None else holds | failed
            taken = self._takes(call)
            holds = holds if taken is None else holds | ~taken
            mine = condition._replace(holds=holds)
            merged[otherwise] = mine.after(merged[otherwise]) if otherwise in merged else mine
        return merged


class GraphProgram:
    """The `DeviceProgram` of a subgraph. Its outputs are `(data, shapes)` pairs in the order of `Subgraph.outputs`.
    Tracing also records their layouts and types, which arrays do not carry.

    Args:
        decodes_whole: decode files whole if `decode_resample` cannot make what is needed of them.
        wide_columns: the 64-bit dtype of a column's numbers, by the column's index; see `BatchValue.wide`.

    Attributes:
        recipes: what is known of its images before tracing.
        layouts: the layout of each output, known after the first call.
        wide: the 64-bit type of each output if JAX has it in 32 bits, known after the first call; see `BatchValue`.
    """

    def __init__(
        self,
        subgraph: Subgraph,
        recipes: Recipes,
        columns: Sequence[Any],
        seed: int,
        threads: int,
        affinity: Cpus = (),
        *,
        decodes_whole: bool = False,
        wide_columns: Mapping[int, np.dtype] | None = None,
    ):
        needs, files = recipes.needs(), recipes.whole_files() if decodes_whole else {}
        self.inputs: Sequence[int] = subgraph.inputs
        channels = [ChannelsNeed(column) for column in sorted(recipes.own_channels)]
        measured = measured_needs(subgraph.calls, subgraph.column_of)
        wide = [WideNeed(column) for column in self.inputs]
        self.needs: Sequence[Need] = [*measured.values(), *needs.values(), *files.values(), *channels, *wide]
        self.takes_mask = self.takes_step = False
        self.stacked: Mapping[int, int] = {}
        self.recipes = recipes
        self.layouts: list[str] = []
        self.wide: list[np.dtype | None] = []
        self._measured = list(measured)
        self._needed = list(needs)
        self._whole = list(files)
        self._of_channels = [need.column for need in channels]
        self._subgraph = subgraph
        self._columns = columns
        self.seed = seed
        self._threads = threads
        self._affinity = affinity
        self._wide_columns = wide_columns or {}

    def __call__(
        self, values: list[Any], origin: tuple[jax.Array, ...], indices: jax.Array, canvases: tuple[Any, ...]
    ) -> tuple[Any, dict[Decoded, jax.Array], dict[str, Condition]]:
        context = TraceContext(self._threads, self._affinity, origin, indices)
        given = iter(canvases)
        for node in self._measured:
            node.measured.set_bound(next(given))
        chosen: dict[DataNode, Canvas | None] = {node: next(given) for node in self._needed}
        whole, channels = ({column: next(given) for column in columns} for columns in (self._whole, self._of_channels))
        arrived = {
            column: _as_value(value, column, self._columns[column].layout, whole.get(column), channels.get(column, 3))
            for column, value in zip(self.inputs, values, strict=True)
        }
        for column in self.inputs:
            dtype = self._wide_columns.get(column, next(given))
            if dtype is not None:
                arrived[column] = dataclasses.replace(cast(BatchValue, arrived[column]), wide=dtype)
        known: dict[DataNode, Any] = {}
        context.known = known
        for node, column in self._subgraph.column_of.items():
            if (value := arrived.get(column)) is not None:
                known[node] = known_most(value, node) if isinstance(value, BatchValue) else value
        results, origins, decoded = _Run(self._subgraph, self.recipes, context, known, chosen).outputs()
        found = [
            value if node in decoded else _without_failed(value, context, origins[node])
            for node, value in zip(self._subgraph.outputs, results, strict=True)
        ]
        self._warn_of_narrowing(known)
        self.layouts = [value.layout for value in found]
        self.wide = [value.wide for value in found]
        return [(value.data, value.shapes) for value in found], context.statuses, context.requirements()

    def _warn_of_narrowing(self, known: Mapping[DataNode, Any]) -> None:
        for call in self._subgraph.calls:
            declared = declaration_of(call).inputs
            for place, node in enumerate(call.inputs):
                value, computed = known.get(node), not declared or declared[min(place, len(declared) - 1)].computed
                if computed and isinstance(value, BatchValue) and is_narrowed(value.wide):
                    warn_of_narrowing(call)


class _Run:
    """One pass over a subgraph while it is traced.

    Args:
        known: values of nodes.
        canvases: those that the batch was given, by the nodes whose images need one.
    """

    def __init__(
        self,
        subgraph: Subgraph,
        recipes: Recipes,
        context: TraceContext,
        known: dict[DataNode, Any],
        canvases: dict[DataNode, Canvas | None],
    ):
        self._subgraph = subgraph
        self._recipes = recipes
        self._context = context
        self._known = known
        self._canvases = canvases
        self._origins: dict[DataNode, frozenset[int]] = {}
        # Nodes whose failed samples are zeros already, because they come straight from files.
        self._decoded: set[DataNode] = set()

    def outputs(self) -> tuple[list[BatchValue], dict[DataNode, frozenset[int]], set[DataNode]]:
        """Returns the values of the subgraph's outputs, the columns of files that each node depends on, and the nodes that
        come straight from files.
        """
        waiting: list[Call] = list(self._subgraph.calls)
        wanted = [*self._subgraph.outputs, *self._recipes.sinks]
        while True:
            # First all calls that need no pixels: then more images of the same files are known when pixels are
            # computed.
            blocked: list[Call] = []
            for call in waiting:
                if self._lacks(call):
                    blocked.append(call)
                else:
                    self._compute(call)
            images = [node for call in blocked for node in self._lacks(call)]
            images += [node for node in wanted if node in self._known]
            self._compute_images([node for node in images if isinstance(self._known.get(node), ImagesValue)])
            if not blocked:
                break
            waiting = blocked
        return [self._known[node] for node in self._subgraph.outputs], self._origins, self._decoded

    def _lacks(self, call: Call) -> list[DataNode]:
        """Returns the operands of a call whose value is missing, or not in the form that the call takes; also what it
        branches on, if it asks which samples do.
        """
        operator = declaration_of(call)
        lacking = []
        for position, node in enumerate(call.dependencies if operator.of_batch else call.operands):
            value = self._known.get(node)
            takes_recipes = position == 0 and bool(call.inputs) and operator.lazy is not None
            if value is None or (
                isinstance(value, ImagesValue) and not (takes_recipes and call not in self._recipes.ended)
            ):
                lacking.append(node)
        return lacking

    def _compute(self, call: Call) -> None:
        context = self._context
        context.call, context.columns = call, self._origin(call)
        for node, value in zip(call.outputs, _compute(call, context, self._known), strict=True):
            self._known[node], self._origins[node] = value, context.columns

    def _origin(self, call: Call) -> frozenset[int]:
        operator = declaration_of(call)
        if operator.mixes:  # its samples change places, so a failed file no longer has its row
            return frozenset()
        mine = frozenset(origin for node in call.operands for origin in self._origins.get(node, ()))
        return mine | {self._subgraph.column_of[call.inputs[0]]} if takes_files(call) else mine

    def _compute_images(self, nodes: Sequence[DataNode]) -> None:
        for node in nodes:
            if node in self._recipes.unlimited:
                raise ConfigError(self._recipes.unlimited[node])
        asked = {
            node: Asked(self._known[node], self._recipes.canvas_of(node), self._canvases.get(node)) for node in nodes
        }
        self._decoded |= {node for node, one in asked.items() if one.value.source.column is not None}
        try:
            found = compute_images(list(asked.values()), self._context)
        except Exception as error:
            error.add_note("in " + ", ".join(dict.fromkeys(node.call.description for node in nodes)))
            raise
        for node, value in zip(asked, found, strict=True):
            _check_size(value)
            self._known[node] = value


def _without_failed(value: BatchValue, context: TraceContext, columns: frozenset[int]) -> BatchValue:
    """Zeroes the samples that were made from a failed image, so that results do not depend on whether one call computes
    a whole recipe.
    """
    failed = context.failed(columns)
    if failed is None:
        return value
    data = jnp.where(failed.reshape(-1, *[1] * (value.data.ndim - 1)), jnp.zeros((), value.data.dtype), value.data)
    return dataclasses.replace(value, data=data)


def _compute(call: Call, context: TraceContext, known: dict[DataNode, Any]) -> tuple[Any, ...]:
    operator = declaration_of(call)
    try:
        inputs = [known[node] for node in call.inputs]
        ragged = {param.name for param in operator.params if param.ragged}

        def argument(context: Any, name: str, value: BatchValue) -> Array:
            return value if name in ragged else _argument(name, context, value)

        with jax.named_scope(operator.name):
            found = frames.compute(call, context, inputs, known.__getitem__, argument)
        values = found if isinstance(found, tuple) else (found,)
        values = tuple(value.as_arrays() if isinstance(value, ImagesValue) else value for value in values)
        for value in values:
            if isinstance(value, BatchValue):
                _check_size(value)
        made = zip(values, call.outputs, strict=True)
        return tuple(known_most(value, node) if isinstance(value, BatchValue) else value for value, node in made)
    except Exception as error:
        error.add_note(f"in {call.description}")
        raise


def _check_size(value: BatchValue) -> None:
    """Refuses a batch so large that its bytes overflow 64 bits, because XLA would end the process."""
    shape = value.data.shape
    if math.prod(extent or 1 for extent in shape) > _MOST_NUMBERS:
        raise GraphError(f"a batch of shape {shape} has more numbers than any memory can hold")


def _argument(name: str, context: Context, value: BatchValue) -> Array:
    """Returns the value of an argument that is a node, `[N, ...]`; `[N]` if samples have one element."""
    if value.shapes is not None:
        shape = value.data.shape[1:]
        context.require(
            (value.shapes == jnp.asarray(shape, jnp.int32)).all(axis=1),
            f"the samples of the argument {name} must all have the same shape, but their shapes differ: this one has {{0}}",
            [value.shapes],
        )
    single = all(extent == 1 for extent in value.data.shape[1:])
    return value.data.reshape(len(value.data)) if single else value.data


def _as_value(
    value: Array, column: int, layout: str, canvas: Canvas | None, channels: int
) -> BatchValue | EncodedValue:
    if isinstance(value, EncodedBatch):
        return EncodedValue(value, column, None if canvas is None else (canvas.height, canvas.width), channels)
    if isinstance(value, Padded):
        data, shapes = value
        return BatchValue(data, shapes, layout)
    return BatchValue(value, None, layout)
