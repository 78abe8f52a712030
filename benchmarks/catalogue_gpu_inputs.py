"""Operators and their inputs on a GPU: a module of `fn` whose calls are placed there, and batches already there."""

from __future__ import annotations

import functools
import importlib
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from catalogue_inputs import LAYOUTS

__all__ = ["ON_HOST", "Placed", "dali_lacks", "fed", "kept_by_dali", "kept_by_jaxdali"]

# Kinds of inputs that GPU operators take from the host, too: files, and what is given as an argument.
ON_HOST = ("files", "maps", "sounds")


class Placed:
    """`fn` or a module of it, whose operators are called with `device`; for decoders of files, "gpu" becomes "mixed"."""

    def __init__(self, room: Any, device: str):
        self._room, self._device = room, device

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._room, name)
        device = "mixed" if name == "decoders" and self._device == "gpu" else self._device
        if isinstance(found, types.ModuleType):
            return Placed(found, device)

        @functools.wraps(found)
        def placed(*inputs: Any, **arguments: Any) -> Any:
            return found(*inputs, **{**arguments, "device": device})

        return placed


def dali_lacks(name: str, device: str) -> str | None:
    """Where else DALI has an operator that it lacks on `device` ("cpu" or "gpu"); None if it does not lack it."""
    from jaxdali._dali.operators.classes import class_name

    backend, ops = (importlib.import_module(f"nvidia.dali.{module}") for module in ("backend", "ops"))
    *rooms, last = name.split(".")
    schema = getattr(functools.reduce(getattr, rooms, ops), class_name(last)).schema_name
    on_gpu = {*backend.RegisteredGPUOps(), *backend.RegisteredMixedOps()}
    if schema in (on_gpu if device == "gpu" else set(backend.RegisteredCPUOps())):
        return None
    return "CPU only" if device == "gpu" else "GPU only"


def kept_by_jaxdali(batch: Sequence[np.ndarray], on_gpu: bool) -> Any:
    """A batch that jaxdali's device function uses in place; in the GPU's memory if there is a GPU."""
    import jax

    from jaxdali._feed.source.gpu_batches import Held
    from jaxdali._run.executor.device_io.padding import padded

    data, shapes = padded(batch, batch[0].dtype)
    return Held(jax.block_until_ready(jax.device_put(data)) if on_gpu else data, shapes)


def kept_by_dali(kinds: Sequence[str], batches: Sequence[Sequence[np.ndarray]], on_gpu: bool) -> tuple[Any, list[Any]]:
    """Batches as DALI's lists, in the GPU's memory if there is a GPU, and the pipeline that owns them. It must live."""
    from nvidia.dali import fn
    from nvidia.dali.pipeline import Pipeline

    options: dict[str, Any] = {"exec_async": False, "exec_pipelined": False, "prefetch_queue_depth": 1}
    pipe = Pipeline(len(batches[0]), num_threads=1, device_id=0 if on_gpu else None, **options)
    with pipe:
        nodes = [
            fn.external_source(_always(list(batch)), layout=LAYOUTS.get(kind), no_copy=True)
            for kind, batch in zip(kinds, batches, strict=True)
        ]
        pipe.set_outputs(*(node.gpu() if on_gpu else fn.copy(node) for node in nodes))
    pipe.build()
    return pipe, list(pipe.run())


def fed(fn: Any, kind: str, kept: Any, device: str) -> Any:
    """A node that returns `kept` in each batch. `device`: that of the operators."""
    where = "cpu" if kind in ON_HOST else device
    return fn.external_source(_always(kept), device=where, layout=LAYOUTS.get(kind), no_copy=True)


def _always(value: Any) -> Callable[[], Any]:
    """A source that returns the same value for each batch. DALI does not accept a functools.partial of a class."""
    return lambda: value
