"""The position of a Loader as a small record."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np

from jaxdali._base.documentation import page_url
from jaxdali._base.user_warnings import warn_user
from jaxdali._feed.source.local_rows import LocalRows
from jaxdali._feed.source.parts import PartsSampler
from jaxdali._feed.source.sampler import SequentialSampler, ShuffleSampler
from jaxdali._feed.source.source_identity import identity_of_data, identity_of_order
from jaxdali.errors import ConfigError, check_integer

__all__ = ["check_record", "check_step", "identity_of", "make_record"]

# Version 2: an epoch may end with a batch that padding completes. Version 3: says which data and which sampler.
_VERSION, _OLDEST = 3, 2

# Of version 2: number of samples of an epoch whose hash represents the order of a sampler.
_LOOKED_AT = 64

# The largest step of a Loader without end.
_LARGEST_STEP = (1 << 63) - 1


def check_step(step: object, steps: int | None) -> int:
    """Returns a step that a Loader with `steps` steps can be at, including its end; `steps` None: no end.

    Raises:
        ConfigError: there is no such step.
    """
    return check_integer("step", step, 0, _LARGEST_STEP if steps is None else steps)


def identity_of(data: Any, sampler: PartsSampler | LocalRows, seed: int, known: bool) -> dict[str, Any]:
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
        "sampler": None if named else identity_of_order(own),
        "data": identity_of_data(data),
    }


def make_record(step: int, **identity: object) -> dict[str, Any]:
    """Returns the record of `Loader.get_state`, made of JSON types only.

    Args:
        step: the step that comes next, counted through all epochs.
        identity: what the order of the samples depends on.
    """
    return {"version": _VERSION, "step": step, **identity}


def check_record(record: object, own: Any, ignored: Collection[str], **identity: object) -> int:
    """Returns the step of a record.

    Args:
        own: the sampler of this Loader.
        ignored: names of fields that may differ.

    Raises:
        ConfigError: it is not a record, or it belongs to another order.
    """
    if not isinstance(record, Mapping) or "step" not in record:
        raise ConfigError(f"a Loader's state is what get_state returned, a dict with 'step'; got {record!r:.200}")
    version = _version_of(record)
    mine = make_record(0, **identity)
    del mine["step"], mine["version"]
    if isinstance(ignored, str) or not isinstance(ignored, Collection) or not all(name in [*mine] for name in ignored):
        raise ConfigError(f"ignore= names fields of a state, some of {', '.join(mine)}; got {ignored!r}")
    if version == _OLDEST:
        mine |= _as_in_version_2(mine, own)
        # The oldest of them do not contain the order.
        ignored = {*ignored, "data", *({"order"} - record.keys())}
        warn_user(
            "this state was saved by an earlier version of jaxdali, and does not say which data and which sampler it was "
            "taken with: whether these are the same is not checked. States that are saved from here on say so",
            UserWarning,
        )
    for name, value in mine.items():
        if name not in ignored and (difference := _difference(name, record.get(name), value)):
            raise ConfigError(f"the state does not fit this Loader: {difference}")
    return record["step"]


def _version_of(record: Mapping[Any, Any]) -> int:
    given = record.get("version")
    try:
        version = check_integer("version", given, 1, None)
    except ConfigError as error:
        raise ConfigError(
            f"a Loader's state is what get_state returned, with a number as its 'version': {error}"
        ) from None
    if not _OLDEST <= version <= _VERSION:
        whose, update = ("an earlier", "") if version < _OLDEST else ("a later", "update jaxdali, or ")
        raise ConfigError(
            f"the state has version {version}, of {whose} jaxdali; this one reads versions {_OLDEST} and {_VERSION}: "
            f"{update}pass the state's step to seek() if data and order are the same "
            f"({page_url('versions', 'what-is-saved')})"
        )
    return version


def _as_in_version_2(mine: Mapping[str, Any], own: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"sampler": None}
    if mine["sampler"] is not None:
        indices = np.asarray(own.indices(0, np.arange(min(len(own), _LOOKED_AT))), "<i8")
        order = hashlib.blake2b(indices.tobytes(), digest_size=8).hexdigest()
        found |= {"sampler": type(own).__name__, "order": order}
    return found


def _difference(name: str, given: object, mine: Any) -> str:
    """Returns in words where two values differ; nothing if they do not."""
    if name == "processes" and not _is_same(given, mine):
        return (
            f"it was taken in {given!r:.80} processes, here there are {mine!r}, and with local_data=True each process has "
            "samples of its own: resume with as many"
        )
    otherwise = (
        "Samples would come twice or never. If you know that the order is the same, or want another one from this step on, "
        f"pass ignore=({name!r},)"
    )
    for path, theirs, ours in _differences(name, given, mine):
        return f"it was taken with {path}={theirs!r:.80}, here it is {ours!r:.80}. {otherwise}"
    return ""


def _differences(path: str, given: Any, mine: Any) -> Iterator[tuple[str, object, object]]:
    if isinstance(given, Mapping) and isinstance(mine, Mapping):
        for key in {**mine, **given}:
            yield from _differences(f"{path}.{key}", given.get(key), mine.get(key))
    elif isinstance(given, list | tuple) and isinstance(mine, list) and len(given) == len(mine):
        for index, pair in enumerate(zip(given, mine, strict=True)):
            yield from _differences(f"{path}[{index}]", *pair)
    elif not _is_same(given, mine):
        yield path, _kind_of(given), _kind_of(mine)


def _kind_of(value: object) -> object:
    return value.get("type", value) if isinstance(value, Mapping) else value


def _is_same(given: object, mine: object) -> bool:
    """Whether the values are equal. NumPy integers count as integers; 1 is not True; an array equals nothing."""
    if isinstance(mine, bool):
        return isinstance(given, bool | np.bool_) and bool(given) == mine
    if isinstance(mine, int):
        try:
            return check_integer("", given, mine, mine) == mine
        except ConfigError:
            return False
    return type(given) is type(mine) and given == mine
