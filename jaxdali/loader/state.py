"""The position of a Loader as one small record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import ConfigError
from ..source.parts import PartsSampler
from ..source.sampler import ShuffleSampler

__all__ = ["check_record", "identity_of", "make_record"]

_VERSION = 2  # since an epoch may end with a batch that is completed


def identity_of(sampler: PartsSampler, seed: int) -> dict[str, Any]:
    """What the samples of a step, and their draws, follow from. The parts do not matter."""
    return {
        "samples": len(sampler.sampler),
        "batch_size": sampler.batch_size,
        "steps_per_epoch": sampler.steps,
        "shuffle": isinstance(sampler.sampler, ShuffleSampler),
        "seed": seed,
    }


def make_record(step: int, **identity: Any) -> dict[str, Any]:
    """What `Loader.get_state` returns: JSON's types only.

    Args:
        step: that comes next, counted through all epochs.
        identity: what the order of the samples follows from.
    """
    return {"version": _VERSION, "step": step, **identity}


def check_record(record: Any, **identity: Any) -> int:
    """The step of a record.

    Raises:
        ConfigError: it is no record, or one of another order.
    """
    if not isinstance(record, Mapping) or "step" not in record:
        raise ConfigError(f"a Loader's state is what get_state returned, a dict with 'step'; got {record!r}")
    mine = make_record(0, **identity)
    for name, value in mine.items():
        if name != "step" and record.get(name) != value:
            raise ConfigError(
                f"the state does not fit this Loader: it was taken with {name}={record.get(name)!r}, here it is {value!r}; "
                "samples would come twice or never"
            )
    return record["step"]
