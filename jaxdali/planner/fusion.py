"""What the device computes, task by task. A chain behind a decoder of whose images only a resized window is used is one
task: the images need not exist then. Its outputs are the same, bit for bit.
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..graph.call import Call, DataNode, nodes_in
from ..operators.undecoded import Decoding, Planned, Step, Undecoded
from ..operators.values import BatchValue, Context, EncodedValue

__all__ = ["Task", "decoding_of", "fuse", "task_of"]


@dataclasses.dataclass(frozen=True, eq=False)
class Task:
    """One computation of the device function.

    Attributes:
        calls: what it computes, each of the output of the one before.
        inputs: nodes that it works on.
        params: of all of them; there may be nodes in it.
        compute: `(context, values, params) -> value`, or a tuple of them, one an output of the last call.
    """

    calls: Sequence[Call]
    inputs: Sequence[DataNode]
    params: Mapping[str, Any]
    compute: Callable[[Context, Sequence[Any], Mapping[str, Any]], Any]

    @property
    def call(self) -> Call:
        """The last one."""
        return self.calls[-1]

    @property
    def decodes(self) -> bool:
        """It takes files."""
        return decoding_of(self.calls[0]) is not None

    @property
    def dependencies(self) -> list[DataNode]:
        """Every node that must exist before it can be computed."""
        return [*self.inputs, *nodes_in(self.params)]


def decoding_of(call: Call) -> Decoding | None:
    """How a call decodes files; None: it takes none."""
    operator: Any = call.operator
    return None if operator.decoding is None else operator.decoding(call)


def task_of(call: Call) -> Task:
    """A call by itself."""
    operator: Any = call.operator

    def compute(context: Context, values: Sequence[Any], params: Mapping[str, Any]) -> Any:
        return operator.compute(context, *values, **params)

    return Task([call], call.inputs, call.params, compute)


def fuse(tasks: Sequence[Task], outputs: Sequence[DataNode]) -> list[Task]:
    """The tasks in an order in which they can run, with chains that can be one call replaced by one task."""
    consumers: dict[DataNode, list[Call | None]] = collections.defaultdict(list)
    for task in tasks:
        for node in task.dependencies:
            consumers[node].append(task.call)
    for node in outputs:
        consumers[node].append(None)
    fused: dict[Call, Task | None] = {}
    for task in tasks:
        if task.decodes:
            chain, extent = _chain(task.call, consumers)
            if extent is not None:
                # It stands where the last one stood: what that one takes is computed by then.
                fused |= dict.fromkeys(chain, None) | {chain[-1]: _one_task(chain, extent)}
    replaced = [fused.get(task.call, task) for task in tasks]
    return [task for task in replaced if task is not None]


def _step_of(call: Call) -> Step | None:
    operator: Any = call.operator
    return None if operator.step is None else operator.step(call.params)


def _chain(decoder: Call, consumers: dict[DataNode, list[Call | None]]) -> tuple[list[Call], tuple[int, int] | None]:
    """The longest chain from a decoder on that ends with images of one extent, and that; None: there is none."""
    first = _step_of(decoder)
    assert first is not None
    chain, planned = [decoder], first.plan(Planned())
    found: tuple[list[Call], tuple[int, int] | None] = chain, None
    while planned is not None and not planned.finished:
        users = consumers[chain[-1].outputs[0]]
        user = users[0] if len(users) == 1 else None
        if user is None or not user.inputs or user.inputs[0] is not chain[-1].outputs[0]:
            break  # nobody's, or an argument
        step = _step_of(user)
        if step is None:
            break
        planned = step.plan(planned)
        if planned is None:
            break
        chain = [*chain, user]
        if planned.extent is not None:
            found = chain, planned.extent
    return found


def _one_task(chain: Sequence[Call], extent: tuple[int, int]) -> Task:
    decoding = decoding_of(chain[0])
    assert decoding is not None

    def compute(context: Context, inputs: Sequence[EncodedValue], params: Mapping[str, Any]) -> BatchValue:
        import jax.numpy as jnp

        from ..image import decode_resample

        (files,) = inputs
        extents = files.batch.sizes[:, :2]
        images = Undecoded(jnp.concatenate([jnp.zeros_like(extents), extents], axis=1))
        for position, call in enumerate(chain):
            given = {name: params[f"{position}.{name}"] for name in call.params}
            context.call = call
            step = _step_of(call)
            assert step is not None
            images = step.apply(context, images, given)
        pixels, status = decode_resample(
            files.batch,
            images.window,
            extent,
            flip=images.mirrored,
            on_error="zeros",
            threads=context.threads,
            affinity=context.affinity,
            **decoding.options,
            **images.options,
        )
        context.report(files.column, decoding.on_error, status)
        return BatchValue(pixels, None, images.options.get("layout", "HWC"))

    params = {f"{position}.{name}": value for position, call in enumerate(chain) for name, value in call.params.items()}
    return Task(chain, chain[0].inputs, params, compute)
