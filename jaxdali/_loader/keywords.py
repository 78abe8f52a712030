"""Error messages for arguments that a Loader does not have: those of other loaders, and typos."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import NoReturn, ParamSpec, TypeVar

__all__ = ["ForeignNames", "explains_keywords"]

# Methods and attributes that other loaders have.
_METHODS = {
    "reset": "loader.seek(0)",
    "set_epoch": "loader.epoch(number)",
    "state_dict": "loader.get_state()",
    "load_state_dict": "loader.set_state(record)",
    "shutdown": "loader.close()",
    "stop": "loader.close()",
    "next": "batches = iter(loader) and next(batches)",
    "as_numpy_iterator": "map(jax.device_get, loader)",
    "element_shape": "loader.element_spec",
}

_POSITIONAL = 3  # self, data and augment

_P = ParamSpec("_P")
_R = TypeVar("_R")

# Arguments of other loaders for things that are done differently here.
_OTHERWISE = {
    "collate_fn": "leaves are stacked; declare those that differ in shape, ragged=, and do the rest in augment",
    "batch_fn": "leaves are stacked; declare those that differ in shape, ragged=, and do the rest in augment",
    "batch_sampler": "pass what orders the samples as sampler=, and give batch_size=",
    "generator": "the order follows from shuffle=True and seed=",
    "worker_init_fn": "open what each worker needs in __getitem__, on its first use",
    "multiprocessing_context": "workers are fresh processes, which need neither a guard nor a module of yours",
    "persistent_workers": "workers stay until close()",
    "pin_memory": "memory is page-locked where a GPU reads it",
    "pin_memory_device": "memory is page-locked where a GPU reads it",
    "in_order": "batches come in order, whichever worker is done first",
    "shuffle_buffer_size": "shuffle=True permutes the whole epoch, without a buffer",
    "repeat": "epochs=None goes on without end; several turns in an epoch are jaxdali.source.repeat(data, times)",
    "weights": "sampler=jaxdali.source.WeightedSampler(weights), or jaxdali.source.mix(..., weights=)",
    "pad_to": "what leaves are padded to is ragged={'ids': 512}, or several widths, ragged={'ids': (64, 128, 512)}",
    "pack": "data of packed rows are jaxdali.source.pack(data, length)",
    "packing": "data of packed rows are jaxdali.source.pack(data, length)",
    "worker_buffer": "workers prepare a batch ahead; prefetch= says how many more are dispatched",
    "read_options": "workers= and prefetch= are arguments themselves",
}

# Our names for arguments of other loaders.
_ELSEWHERE = {
    "num_workers": "workers=",
    "py_num_workers": "workers=",
    "drop_last": 'last_batch="drop"',
    "drop_remainder": 'last_batch="drop"',
    "prefetch_factor": "prefetch=",
    "prefetch_queue_depth": "prefetch=",
    "num_epochs": "epochs=",
    "timeout": "worker_timeout_s=",
    "transform": "augment=",
    "map_fn": "augment=",
    "map_func": "augment=",
    "operations": "augment=",
    "batch": "batch_size=",
    "worker_count": "workers=",
    "num_threads": "workers=",
    "py_num_threads": "workers=",
    "num_shards": "sharding=, or local_data=True",
    "shard_id": "sharding=, or local_data=True",
    "shard_options": "sharding=",
    "mesh": "sharding=",
    "sharding_spec": "sharding=",
    "buffer_size": "prefetch=",
    "worker_buffer_size": "prefetch=",
    "dataset": "data, the first argument",
    "data_source": "data, the first argument",
    "source": "data, the first argument",
    "rng": "seed=",
    "key": "seed=",
    "random_seed": "seed=",
    "infinite": "epochs=None",
    "bs": "batch_size=",
}


class ForeignNames:
    """Raises helpful errors for what only other loaders have, and for attempts to copy a Loader."""

    def __getattr__(self, name: str) -> NoReturn:
        said = f"; did you mean {_METHODS[name]}?" if name in _METHODS else ""
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{said}", name=name, obj=self)

    def __next__(self) -> NoReturn:
        raise TypeError(
            "a Loader is not an iterator: use batches = iter(loader) and next(batches), or `for batch in loader`"
        )

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Loader cannot be pickled or copied, because its workers and memory belong to one process: save "
            "get_state(), make the same Loader elsewhere, and pass the state to its set_state"
        )


def explains_keywords(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Makes the TypeError for a keyword that `function` does not have say which one was meant."""
    known = [*inspect.signature(function).parameters][1:]

    @functools.wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        for name in kwargs:
            if name not in known:
                if name in _OTHERWISE:
                    raise TypeError(f"a Loader has no argument {name!r}: {_OTHERWISE[name]}")
                import difflib  # only imported on errors: most programs call this function

                close = [f"{match}=" for match in difflib.get_close_matches(name, known, 1)]
                meant = _ELSEWHERE.get(name) or "".join(close)
                raise TypeError(f"a Loader has no argument {name!r}" + (f"; did you mean {meant}?" if meant else ""))
        if "batch_size" not in kwargs or len(args) > _POSITIONAL:
            raise TypeError(
                "batch_size= must be given by name, like all arguments but the first two: Loader(data, augment, "
                "batch_size=32)"
                if len(args) > 1
                else "a Loader expects data and batch_size=: Loader(data, augment, batch_size=32), or without augment"
            )
        return function(*args, **kwargs)

    return call
