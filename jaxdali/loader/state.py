"""The position of a Loader as a small record."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import ConfigError, check_integer
from ..source.parts import PartsSampler
from ..source.sampler import Sampler, SequentialSampler, ShuffleSampler

__all__ = ["check_record", "check_step", "identity_of", "make_record"]

_VERSION = 2  # version 2: an epoch may end with a batch that padding completes

# Number of samples of an epoch whose hash represents the order of a sampler with unknown arguments.
_LOOKED_AT = 64

# The largest step of a Loader without end.
_LARGEST_STEP = (1 << 63) - 1


def check_step(step: object, steps: int | None) -> int:
    """Returns a step that a Loader with `steps` steps can be at, including its end; `steps` None: no end.

    Raises:
        ConfigError: there is no such step.
    """
    return check_integer("step", step, 0, _LARGEST_STEP if steps is None else steps)


def identity_of(sampler: PartsSampler, seed: int, known: bool) -> dict[str, Any]:
    """Returns everything that the samples of a step and their draws depend on. The division into parts does not matter.

    Args:
        known: whether the number of samples is known.
    """
    own = sampler.sampler
    named = isinstance(own, SequentialSampler | ShuffleSampler)
    return {
        "samples": len(own) if known else None,
        "batch_size": sampler.batch_size,
        "steps_per_epoch": sampler.steps if known else None,
        "shuffle": isinstance(own, ShuffleSampler),
        "seed": seed,
    } | ({} if named else {"sampler": type(own).__name__, "order": _order_of(own, len(own))})


def _order_of(sampler: Sampler, length: int) -> str:
    """Returns a hash that differs for samplers with different seeds, weights or groups."""
    indices = np.asarray(sampler.indices(0, np.arange(min(length, _LOOKED_AT))), "<i8")
    return hashlib.blake2b(indices.tobytes(), digest_size=8).hexdigest()


def make_record(step: int, **identity: object) -> dict[str, Any]:
    """Returns the record of `Loader.get_state`, made of JSON types only.

    Args:
        step: the step that comes next, counted through all epochs.
        identity: what the order of the samples depends on.
    """
    return {"version": _VERSION, "step": step, **identity}


def check_record(record: object, **identity: object) -> int:
    """Returns the step of a record.

    Raises:
        ConfigError: it is not a record, or it belongs to another order.
    """
    if not isinstance(record, Mapping) or "step" not in record:
        raise ConfigError(f"a Loader's state is what get_state returned, a dict with 'step'; got {record!r:.200}")
    mine = make_record(0, **identity)
    # Older records do not contain the order.
    passed = {"step"} | ({"order"} - record.keys())
    for name, value in ({"sampler": None} | mine).items():
        if name not in passed and not _is_same(record.get(name), value):
            raise ConfigError(
                f"the state does not fit this Loader: it was taken with {name}={record.get(name)!r:.80}, here it is "
                f"{value!r}; samples would come twice or never"
            )
    return record["step"]


def _is_same(given: object, mine: int | bool | str | None) -> bool:
    """Whether the values are equal. NumPy integers count as integers; 1 is not True; an array equals nothing."""
    if mine is None or isinstance(mine, str):
        return given == mine
    if isinstance(mine, bool):
        return isinstance(given, bool | np.bool_) and given == mine
    try:
        return check_integer("", given, mine, mine) == mine
    except ConfigError:
        return False
