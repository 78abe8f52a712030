"""Turns a function that defines a graph into an iterator, with one pipeline for each part of the batch."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jaxdali._base.aliases import Device
from jaxdali._feed.source.parts import BatchPart
from jaxdali.errors import ConfigError, ConfigTypeError, check_integer
from ..control.function_conversion import convert_here
from ..epochs.last_batch_policy import LastBatchPolicy
from ..pipeline.checkpoint import Checkpoint
from ..pipeline.pipeline import Pipeline, session_of
from ..pipeline.pipeline_decorator import pipeline_def
from .iterator import DALIGenericIterator
from .iterator_arguments import OwnPipelines
from .peekable import DALIGenericPeekableIterator

__all__ = ["data_iterator", "make_pipelines", "peekable_data_iterator"]


def data_iterator(
    pipeline_fn: Callable[..., object] | None = None,
    output_map: Sequence[str] = (),
    size: int = -1,
    reader_name: str | None = None,
    auto_reset: bool | str | None = False,
    last_batch_padded: bool = False,
    last_batch_policy: LastBatchPolicy = LastBatchPolicy.FILL,
    prepare_first_batch: bool = True,
    sharding: object = None,
    devices: Sequence[Device] | None = None,
    pmap_compatible: bool | None = None,
    *,
    fill_last_batch: bool | None = None,
    on_error: str | None = None,
) -> Any:
    """Turns a function that defines a graph into a factory of `DALIGenericIterator`; DALI's decorator of the same name.

    The factory takes the function's arguments, those of `Pipeline`, and `checkpoints=`, what the `checkpoints()` of
    such an iterator returned, to continue after it. With `sharding` or `devices` its `batch_size` is that of the global
    batch; there is one pipeline for each part of it that this process has, on a device that holds it, made with the
    same seed, its `device_id` (None on CPU devices), and the function's arguments `shard_id` and `num_shards`. Random
    draws of these pipelines do not depend on their number: with `fn.readers` they depend on the sample, and with a
    source of your own on the sample's position in the whole epoch, so let shard k give rows `k * N` to `(k + 1) * N` of
    each global batch. They end with the iterator's `close`.

    Args:
        pipeline_fn: returns the outputs: a DataNode, a tuple or list of them, or a dictionary, whose keys are their
            names.
        output_map: names of the outputs; of a dictionary those to keep, by default all.
        devices: each gets a pipeline, and arrays are `[len(devices), N, ...]`, as `jax.pmap` takes them. Of one
            process.
        size, reader_name, auto_reset, last_batch_padded, last_batch_policy: as in `DALIGenericIterator`.
        prepare_first_batch, sharding, pmap_compatible, fill_last_batch, on_error: likewise.

    Raises:
        ConfigError: `sharding` together with `devices`; or, when the factory is called, a batch that the devices cannot
            share, a function without `shard_id` and `num_shards`, or an argument that the class does not take.
    """
    arguments = {
        "size": size,
        "reader_name": reader_name,
        "auto_reset": auto_reset,
        "last_batch_padded": last_batch_padded,
        "last_batch_policy": last_batch_policy,
        "prepare_first_batch": prepare_first_batch,
        "fill_last_batch": fill_last_batch,
        "on_error": on_error,
    }
    decorator = _Decorator(DALIGenericIterator, output_map, sharding, devices, pmap_compatible, arguments)
    return decorator if pipeline_fn is None else decorator(pipeline_fn)


def peekable_data_iterator(
    pipeline_fn: Callable[..., object] | None = None,
    output_map: Sequence[str] = (),
    size: int = -1,
    reader_name: str | None = None,
    auto_reset: bool | str | None = False,
    last_batch_padded: bool = False,
    last_batch_policy: LastBatchPolicy = LastBatchPolicy.FILL,
    prepare_first_batch: bool = True,
    sharding: object = None,
    devices: Sequence[Device] | None = None,
    pmap_compatible: bool | None = None,
    *,
    fill_last_batch: bool | None = None,
    on_error: str | None = None,
) -> Any:
    """As `data_iterator`, with its arguments: a factory of `DALIGenericPeekableIterator`."""
    arguments = {
        "size": size,
        "reader_name": reader_name,
        "auto_reset": auto_reset,
        "last_batch_padded": last_batch_padded,
        "last_batch_policy": last_batch_policy,
        "prepare_first_batch": prepare_first_batch,
        "fill_last_batch": fill_last_batch,
        "on_error": on_error,
    }
    decorator = _Decorator(DALIGenericPeekableIterator, output_map, sharding, devices, pmap_compatible, arguments)
    return decorator if pipeline_fn is None else decorator(pipeline_fn)


class _Decorator:
    """Makes factories of iterators from functions that define graphs."""

    def __init__(
        self,
        kind: type[DALIGenericIterator],
        output_map: Sequence[str],
        sharding: object,
        devices: Sequence[Device] | None,
        pmap_compatible: bool | None,
        arguments: dict[str, Any],
    ):
        if sharding is not None and devices is not None:
            raise ConfigError(
                "Only one of `sharding` and `devices` arguments can be provided: a sharding names its devices"
            )
        self._kind = kind
        self._output_map = output_map
        self._sharding, self._devices = sharding, devices
        if pmap_compatible is None and devices is not None:
            pmap_compatible = True
        self._arguments = {**arguments, "sharding": sharding, "pmap_compatible": pmap_compatible}

    def __call__(self, function: Callable[..., object]) -> Callable[..., Any]:
        if not callable(function):
            raise ConfigTypeError(f"a pipeline is defined by a function, got {function!r:.80}")

        @functools.wraps(function)
        def factory(
            *args: object, checkpoints: Sequence[bytes | str] | None = None, **kwargs: object
        ) -> DALIGenericIterator:
            pipelines, names = make_pipelines(
                function, args, kwargs, self._output_map, self._sharding, self._devices, checkpoints
            )
            try:
                iterator = self._kind(OwnPipelines(pipelines), names, **self._arguments)
            except BaseException:
                for pipeline in pipelines:
                    pipeline.close()
                raise
            return iterator

        return factory


def make_pipelines(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    output_map: Sequence[str],
    sharding: Any,
    devices: Sequence[Device] | None,
    checkpoints: Sequence[bytes | str] | None = None,
) -> tuple[list[Pipeline], list[str]]:
    """Makes the pipelines of this process, one per part of the batch; returns them and the names of their outputs.

    Raises:
        ConfigError: see `data_iterator`.
    """
    drawn = _Drawn(function, list(output_map))
    if sharding is None and devices is None:
        options = {"device_id": 0} | kwargs | _restoring(checkpoints, 1)[0]
        return [pipeline_def(drawn.draw)(*args, **options)], drawn.names
    for name in ("device_id", "shard_id", "num_shards"):
        if name in kwargs:
            raise ConfigError(f"{name}= follows from sharding= or devices=; leave it out")
    from .shard_placement import Placement, device_id_of

    placement = Placement.of(sharding, devices)
    batch_size = check_integer("batch_size", kwargs.pop("batch_size", None), 1)
    if batch_size % placement.count:
        raise ConfigError(
            f"batch_size={batch_size} is that of the global batch, which the devices share in {placement.count} parts; it "
            f"must be a multiple of {placement.count}"
        )
    parameters = inspect.signature(function).parameters
    missing = [name for name in ("shard_id", "num_shards") if name not in parameters]
    if missing and placement.count > 1:
        raise ConfigError(
            f"{function.__name__} must make {placement.count} parts of the batch, and needs the arguments shard_id and "
            f"num_shards to know which; it has no {' and no '.join(missing)}"
        )
    restoring = _restoring(checkpoints, len(placement.parts))
    seed = kwargs.pop("seed", None)
    if seed is None and checkpoints is not None:
        seed = Checkpoint.load(checkpoints[0]).seed
    if seed is None or seed < 0:
        seed = placement.draw_seed()
    pipelines = []
    for (part, device), checkpoint in zip(placement.parts, restoring, strict=True):
        device_id = device_id_of(device)
        shard = {"shard_id": part, "num_shards": placement.count, "device_id": device_id}
        own = {name: value for name, value in shard.items() if name in parameters}
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "the argument 'device_id'")  # the pipeline gets the same value
            define = pipeline_def(
                drawn.draw, **{"batch_size": batch_size // placement.count, "seed": seed, "device_id": device_id}
            )
        pipeline = define(*args, **{**kwargs, **own, **checkpoint})
        session_of(pipeline).make_part(BatchPart(part, placement.count, batch_size // placement.count), device)
        pipelines.append(pipeline)
    return pipelines, drawn.names


def _restoring(checkpoints: Sequence[bytes | str] | None, pipelines: int) -> list[dict[str, Any]]:
    """Returns, for each pipeline, the arguments that make it continue from its checkpoint."""
    if checkpoints is None:
        return [{} for _ in range(pipelines)]
    if len(checkpoints) != pipelines:
        raise ConfigError(
            f"got {len(checkpoints)} checkpoints for {pipelines} pipelines; pass what checkpoints() returned to an "
            "iterator over as many parts: what one shard has read says nothing about the others. A jaxdali.Loader "
            "resumes on any number of devices"
        )
    return [{"checkpoint": checkpoint} for checkpoint in checkpoints]


class _Drawn:
    """A function that defines a graph, and the names that it gives its outputs."""

    def __init__(self, function: Callable[..., object], output_map: list[str]):
        self.names = output_map

        @functools.wraps(function)
        def draw(*args: object, **kwargs: object) -> Any:
            outputs = convert_here(function)(*args, **kwargs)
            if not isinstance(outputs, Mapping):
                return outputs
            self.names = output_map or list(outputs)
            unknown = [name for name in self.names if name not in outputs]
            if unknown:
                raise ConfigError(
                    f"output_map names {unknown[0]!r}, but {function.__name__} returned {', '.join(map(repr, outputs))}"
                )
            return [outputs[name] for name in self.names]

        self.draw = draw
