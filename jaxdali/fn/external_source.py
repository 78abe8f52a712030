"""The door for the user's own data."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import Any, overload

from .. import types
from ..errors import ConfigError, check_integer
from ..pipeline.inputs import ON_GPU
from ..pipeline.node import DataNode
from ..pipeline.presize import check_hint
from ..pipeline.recording import recorded
from ..pipeline.source_spec import SourceSpec
from ..pipeline.trace import add_operator
from ..pipeline.value import BatchValue
from ..source.fed import FedSource
from .arguments import check_unsupported

__all__ = ["external_source"]

_MOST_OUTPUTS = 4096
_ARGUMENTS = ("source", "num_outputs", "cycle", "layout", "dtype", "ndim", "batch", "batch_info", "parallel", "no_copy")


@overload
def external_source(
    source: Callable[..., Any] | Iterable[Any] | None = None, num_outputs: None = None, **arguments: Any
) -> DataNode: ...
@overload
def external_source(
    source: Callable[..., Any] | Iterable[Any] | None, num_outputs: int, **arguments: Any
) -> list[DataNode]: ...
@overload
def external_source(*, num_outputs: int, **arguments: Any) -> list[DataNode]: ...
@recorded("fn.external_source")
def external_source(
    source: Callable[..., Any] | Iterable[Any] | None = None,
    num_outputs: int | None = None,
    *,
    cycle: str | bool | None = None,
    name: str | None = None,
    device: str = "cpu",
    layout: str | Sequence[str] | None = None,
    dtype: types.DALIDataType | Sequence[types.DALIDataType] | None = None,
    ndim: int | Sequence[int] | None = None,
    cuda_stream: Any = None,
    use_copy_kernel: bool | None = None,
    blocking: bool | None = None,
    batch: bool | None = None,
    repeat_last: bool | None = None,
    parallel: bool | None = None,
    no_copy: bool | None = None,
    prefetch_queue_depth: int | None = None,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    batch_info: bool | None = None,
    **dali: Any,
) -> DataNode | list[DataNode]:
    """Data from Python; DALI's `fn.external_source`.

    Args:
        source: None: whole batches are fed, see `Pipeline.feed_input`. Else what gives samples (`batch=False`) or whole
            batches (`batch=True`), the first of these that it is:

            - a generator function without parameters, or an object whose `__call__` is one: iterated;
            - an iterable, also a generator or another iterator: `next` is called once a batch, or once a sample;
            - a callable whose parameters are exactly `worker_id` and `num_workers`, that returns an iterable: with
              `parallel=True` each worker iterates its own (from 0, of `py_num_workers`), else there is one, of (0, 1);
            - a callable. In sample mode it takes a `types.SampleInfo`, or nothing; in batch mode the index of the
              iteration (or a `types.BatchInfo`, see `batch_info`), or nothing. It raises StopIteration when the data end.

            A sample is a NumPy array (or torch, jax, DLPack on the CPU); a batch is an array `[n, ...]`, a list of
            samples, or a TensorList of another pipeline, of at most `batch_size` samples. A callable should depend on
            nothing but its argument, and draw random numbers from its `rng`: with `parallel=True` it is copied to worker
            processes, and asked for samples past the end. Iterables and generator functions are begun where they run,
            when their first data are asked for. In sample mode an incomplete batch at the end is dropped, unless the
            source is an object with `__len__`: that is the number of samples of an epoch.
        num_outputs: None: the source gives one array, and one node is returned; n (also 1): it gives a tuple or list of
            at least n, and a list of n nodes is returned.
        cycle: for what is iterated, what happens at its end: "no" (False, None): StopIteration, for ever; "quiet"
            (True): it is begun again, and the data never end; "raise": StopIteration, and the next epoch begins it again.
        name: of the node; not together with `num_outputs`.
        layout, dtype, ndim: of the samples; one for all outputs, or one each. A shorter list leaves the rest open. What
            is given is checked.
        device: "gpu": samples appear on the GPU. Whole batches (not `parallel`) may be there already: arrays of CuPy or
            torch, `jax.Array`s, TensorLists of another pipeline, or anything with `__dlpack__` or
            `__cuda_array_interface__`, and never pass through the host. They have at least one sample.
        cuda_stream, use_copy_kernel: with device="gpu", for batches in GPU memory, see `Pipeline.feed_input`. Without effect
            on others, as in DALI.
        blocking: whether `run` waits for data that are to be fed, by another thread; else it is an error where there are
            none. With a source it always waits.
        batch: True: the source gives whole batches; False: samples. Not given: samples with `parallel=True`, else batches.
        repeat_last: only for data that are fed: the last batch is given again where there is no newer one. True together
            with a source is refused.
        parallel: run the source in the pipeline's worker processes (`py_num_workers`). In sample mode it must be a callable
            of one argument. In batch mode it may also be iterated, by one worker, or by each if it is a factory.
        no_copy: whether data stay where the source's process wrote them: they do with `parallel=True`, else they are
            copied into a slot; None: either. Of data that are fed, and of batches with device="gpu": True: they are read
            when a run needs them, and must not change before; else they are copied at once.
        prefetch_queue_depth: parallel only: batches that workers prepare beyond those of the pipeline; 1 by default.
        bytes_per_sample_hint: expected size of a sample: one number for all outputs together, or a list with one each;
            slots start that large and need not grow. `Pipeline.executor_statistics` tells it. 0 says nothing, then
            `bytes_per_sample` of the pipeline counts. Batches with device="gpu" lie in no slot, so there is none to size.
        batch_info: True: a callable in batch mode that takes an argument gets a `types.BatchInfo`. Without effect on others.
        dali: `preserve`, which every operator of DALI has, at its default.

    Raises:
        ConfigError: an argument cannot be honoured.
        ConfigTypeError: the source is of another kind, or has another signature.
    """
    check_unsupported("external_source", dali, {}, _ARGUMENTS)
    if device not in ("cpu", "gpu"):
        raise ConfigError(f'device of fn.external_source must be "cpu" or "gpu", got {device!r}')
    if name is not None and num_outputs is not None:
        raise ConfigError("`num_outputs` is not compatible with named external sources: leave one of them out")
    if num_outputs is not None:
        num_outputs = check_integer("num_outputs", num_outputs, 1, _MOST_OUTPUTS)
    declared = {
        "dtype": _for_each("dtype", dtype, num_outputs),
        "ndim": _for_each("ndim", ndim, num_outputs),
        "layout": _for_each("layout", layout, num_outputs),
    }
    copying: dict[str, Any] = {}
    if device == "gpu" and not parallel:
        copying = {"on_gpu": True, "no_copy": bool(no_copy), "cuda_stream": cuda_stream}
        copying["use_copy_kernel"] = bool(use_copy_kernel)
    if source is None:
        refused = {"parallel": parallel, "batch_info": batch_info, "batch": batch is False, "cycle": cycle}
        _check_fed({**refused, "prefetch_queue_depth": prefetch_queue_depth})
        fed = (bool(blocking), bool(repeat_last), bool(no_copy))
        hint = check_hint(bytes_per_sample_hint, num_outputs or 1)
        # Each of them is an operator of its own.
        declared["bytes_per_sample_hint"] = hint if isinstance(hint, tuple) else (hint,) * (num_outputs or 1)
        nodes = [_fed_node(name, fed, declared, copying, index) for index in range(num_outputs or 1)]
        nodes = [_placed(node, device) for node in nodes]
        return nodes[0] if num_outputs is None else nodes
    if repeat_last:
        raise ConfigError(
            "repeat_last=True is for data that are fed and cannot be combined with a source: return the same data again, "
            'or pass cycle="quiet"'
        )
    if no_copy is False and parallel:
        raise ConfigError("`no_copy` cannot be specified to False with parallel=True: samples stay in their slot")
    if device == "gpu" and not parallel and batch is not None and not batch:
        raise ConfigError(
            'fn.external_source(device="gpu") takes whole batches (batch=True) unless it is parallel; give it those, '
            "or leave device= out: operators that run on the device take samples from the host"
        )
    if no_copy and not parallel and device == "cpu":
        raise ConfigError("`no_copy` is for parallel=True: what a sequential source returns is copied into a slot")
    spec = SourceSpec(
        source=source,
        num_outputs=num_outputs,
        # DALI's documents say that parallel=True means sample mode; its function form does not do so.
        batch=not parallel if batch is None else bool(batch),
        parallel=bool(parallel),
        cycle=cycle,
        batch_info=bool(batch_info),
        **declared,
        prefetch_queue_depth=prefetch_queue_depth,
        bytes_per_sample_hint=bytes_per_sample_hint,
        **copying,
    )
    operator = add_operator("external_source", None, device="cpu", name=name, settings=spec)
    if num_outputs is None:
        return _placed(operator.node(), device)
    return [_placed(operator.node(index), device) for index in range(num_outputs)]


def _placed(node: DataNode, device: str) -> DataNode:
    """The node, or with "gpu" one behind it whose samples are on the device."""
    if device == "cpu":
        return node
    operator = add_operator(ON_GPU, _on_device, [node], device=device)
    placed = DataNode(operator, 0, node.name, device)
    operator.outputs.append(placed)
    return placed


def _on_device(_context: Any, inputs: list[BatchValue], _arguments: Any) -> BatchValue:
    import jax.numpy as jnp

    (value,) = inputs
    # Memory of XLA's own, also where the user's array was handed over as it is.
    return dataclasses.replace(value, data=jnp.copy(value.data))


def _check_fed(arguments: dict[str, Any]) -> None:
    for argument, value in arguments.items():
        if argument == "cycle" and value is not None:
            raise ConfigError(
                "`cycle` can only be specified if `source` is iterable; data that are fed end with the feeding"
            )
        if value:
            raise ConfigError(
                f"{argument}= is for external sources that have a source; without one whole batches are fed with feed_input"
            )


def _fed_node(
    name: str | None,
    fed: tuple[bool, bool, bool],
    declared: dict[str, tuple[Any, ...]],
    copying: dict[str, Any],
    index: int,
) -> DataNode:
    own: Any = {key: (values[index],) for key, values in declared.items()}
    (own["bytes_per_sample_hint"],) = own["bytes_per_sample_hint"]
    spec = SourceSpec(source=FedSource(*fed), num_outputs=None, batch=True, parallel=False, **own, **copying)
    return add_operator("external_source", None, device="cpu", name=name, settings=spec).node()


def _for_each(name: str, value: Any, num_outputs: int | None) -> tuple[Any, ...]:
    """One value an output; None where nothing is said."""
    count = 1 if num_outputs is None else num_outputs
    if isinstance(value, list | tuple):
        if len(value) > count:
            raise ConfigError(f"{name} has {len(value)} values for {count} outputs")
        return (*value, *(None for _ in range(count - len(value))))
    return (value,) * count
