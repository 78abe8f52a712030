"""The door for the user's own data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

from .. import types
from ..errors import ConfigError, check_integer
from ..pipeline.node import DataNode
from ..pipeline.source_spec import SourceSpec
from ..pipeline.trace import add_operator
from .arguments import check_unsupported

__all__ = ["external_source"]

_STREAMS = "copies to a device belong to XLA"
_UNSUPPORTED: dict[str, tuple[Any, str]] = {
    "cycle": (None, "`cycle` can only be specified if `source` is iterable; raise StopIteration and call reset()"),
    "cuda_stream": (None, _STREAMS),
    "use_copy_kernel": (None, _STREAMS),
    "blocking": (None, "give a source; it is asked when its data are needed"),
    "repeat_last": (False, "give a source that returns the same data again"),
    "batch_info": (False, "in sample mode the source is given a SampleInfo"),
}


@overload
def external_source(source: Callable[..., Any], num_outputs: None = None, **arguments: Any) -> DataNode: ...
@overload
def external_source(source: Callable[..., Any], num_outputs: int, **arguments: Any) -> list[DataNode]: ...
def external_source(
    source: Callable[..., Any] | None = None,
    num_outputs: int | None = None,
    *,
    name: str | None = None,
    device: str = "cpu",
    layout: str | Sequence[str] | None = None,
    dtype: types.DALIDataType | Sequence[types.DALIDataType] | None = None,
    ndim: int | Sequence[int] | None = None,
    batch: bool | None = None,
    parallel: bool | None = None,
    no_copy: bool | None = None,
    prefetch_queue_depth: int | None = None,
    bytes_per_sample_hint: int | None = None,
    **dali: Any,
) -> DataNode | list[DataNode]:
    """Samples from Python; DALI's `fn.external_source` in sample mode.

    Args:
        source: a function, or an object with `__call__`, that returns one sample: a NumPy array (or torch, jax, DLPack on
            the CPU), with `num_outputs` a tuple of them. It takes a `types.SampleInfo`, or nothing, and raises
            StopIteration when the data end: an incomplete batch is dropped. It should depend on nothing but its
            argument: with `parallel=True` it is copied to worker processes, and asked for samples past the end.
        num_outputs: None: a sample is one array, and one node is returned; n (also 1): a list of n nodes.
        name: of the node; not together with `num_outputs`.
        layout, dtype, ndim: of the samples; one for all outputs, or one each. A shorter list leaves the rest open. What
            is given is checked.
        batch: False: sample mode. Not given it follows `parallel`.
        parallel: run the source in the pipeline's worker processes (`py_num_workers`).
        no_copy: whether data stay where the source's process wrote them: they do with `parallel=True`, else they are
            copied into a slot; None: either.
        prefetch_queue_depth: parallel only: batches that workers prepare beyond those of the pipeline; 1 by default.
        bytes_per_sample_hint: parallel only: expected size of a sample of all outputs; slots start that large.
        dali: DALI's other arguments, with the values that describe how it is done here; others are refused.

    Raises:
        ConfigError: an argument cannot be honoured, or the source has another signature.
    """
    check_unsupported(
        "external_source", dali, _UNSUPPORTED, ("source", "num_outputs", "layout", "dtype", "ndim", "batch", "parallel")
    )
    if device != "cpu":
        raise ConfigError(
            f"fn.external_source(device={device!r}): sources produce in host memory; operators that run on the device "
            "take it from there"
        )
    if batch is None:
        # DALI's documents say that parallel=True means sample mode; its function form does not do so.
        batch = not parallel
    if batch:
        raise ConfigError(
            "fn.external_source in batch mode is not supported: return one sample a call and pass batch=False"
        )
    if source is None:
        raise ConfigError("fn.external_source needs a source; feeding data with feed_input is not supported")
    if no_copy is False and parallel:
        raise ConfigError("`no_copy` cannot be specified to False with parallel=True: samples stay in their slot")
    if no_copy and not parallel:
        raise ConfigError("`no_copy` is for parallel=True: what a sequential source returns is copied into a slot")
    if name is not None and num_outputs is not None:
        raise ConfigError("`num_outputs` is not compatible with named external sources: leave one of them out")
    if num_outputs is not None:
        num_outputs = check_integer("num_outputs", num_outputs, 1)
    spec = SourceSpec(
        source=source,
        num_outputs=num_outputs,
        parallel=bool(parallel),
        dtype=_for_each("dtype", dtype, num_outputs),
        ndim=_for_each("ndim", ndim, num_outputs),
        layout=_for_each("layout", layout, num_outputs),
        prefetch_queue_depth=prefetch_queue_depth,
        bytes_per_sample_hint=bytes_per_sample_hint,
    )
    operator = add_operator("external_source", None, device="cpu", name=name, settings=spec)
    if num_outputs is None:
        return operator.node()
    return [operator.node(index) for index in range(num_outputs)]


def _for_each(name: str, value: Any, num_outputs: int | None) -> tuple[Any, ...]:
    """One value an output; None where nothing is said."""
    count = 1 if num_outputs is None else num_outputs
    if isinstance(value, list | tuple):
        if len(value) > count:
            raise ConfigError(f"{name} has {len(value)} values for {count} outputs")
        return (*value, *(None for _ in range(count - len(value))))
    return (value,) * count
