"""What a batch that is ready becomes: lists of samples, as `Pipeline.run` returns them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..executor.prefetch import Ready
from ..tensors import ArrayBacking, SlotBacking, TensorListCPU, TensorListGPU
from .declared import Declared
from .node import DataNode
from .plan import Plan

__all__ = ["check_outputs", "order_behind", "output_lists", "wait_for"]


def output_lists(plan: Plan, program: Any, ready: Ready) -> tuple[TensorListCPU | TensorListGPU, ...]:
    """One list an output. What comes from a source stays in its slot, what a GPU computed on the GPU.

    Args:
        program: a `GraphProgram`; None where the device computes nothing.
    """
    results: list[TensorListCPU | TensorListGPU] = []
    streams = [batch.stream for batch in ready.step.batches if batch.stream is not None]
    # What was computed of several readers' samples has no single file.
    only = streams[0] if len(streams) == 1 else None
    for node, made, layout in _made(plan, program, ready):
        if node in plan.column_of:
            results.append(TensorListCPU(SlotBacking(made), layout, stream=_stream_of(ready, made)))
        else:
            data, shapes = made
            on_device = node.device != "cpu" and next(iter(data.devices())).platform == "gpu"
            results.append(
                (TensorListGPU if on_device else TensorListCPU)(ArrayBacking(data, shapes), layout, stream=only)
            )
    return tuple(results)


def order_behind(lists: tuple[Any, ...], cuda_stream: Any) -> None:
    """What a CUDA stream is given to do from here on comes after those of the lists that a GPU computes; None: the caller
    waits in another way.
    """
    on_gpu = [made for made in lists if isinstance(made, TensorListGPU)]
    if cuda_stream is not None and on_gpu:
        from ..executor.streams import let_wait

        let_wait(cuda_stream, [array for made in on_gpu for array in made.device_arrays])


def _stream_of(ready: Ready, column: Any) -> Any:
    return next(batch.stream for batch in ready.step.batches if any(one is column for one in batch.columns))


def wait_for(arrays: Any) -> None:
    """Returns when the device has computed them."""
    import jax

    jax.block_until_ready(arrays)


def check_outputs(plan: Plan, program: Any, ready: Ready, declared: Declared) -> None:
    """Raises OutputError where an output is not what it was declared to be."""
    if declared.nothing:
        return
    for index, (node, made, layout) in enumerate(_made(plan, program, ready)):
        if node in plan.column_of:
            declared.check(index, made.dtype, made.ndim, layout)
        else:
            data, _ = made
            declared.check(index, data.dtype, data.ndim - 1, layout)


def _made(plan: Plan, program: Any, ready: Ready) -> Iterator[tuple[DataNode, Any, str]]:
    """Of each output its node, a `HostColumn` or `(data, shapes)`, and its layout."""
    columns = ready.step.columns
    computed = iter(zip(ready.device.outputs, program.layouts, strict=True) if ready.device is not None else ())
    for node in plan.outputs:
        if node in plan.column_of:
            column = columns[plan.column_of[node]]
            yield node, column, column.column.layout
        else:
            yield node, *next(computed)
