"""What a Loader of a stream uses in place of a length and an index: its checks, and its position."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from jaxdali._feed.ring.columns import Column
from jaxdali._feed.ring.host_batch import HostColumn
from jaxdali._feed.source.local_rows import LocalRows
from jaxdali._feed.source.map_source import MapSource
from jaxdali._feed.source.parts import PartsSampler
from jaxdali._feed.source.stream import Iterable, check_state, is_stream
from jaxdali._feed.source.stream_source import StreamSource
from jaxdali._feed.source.structure import Structure
from jaxdali.errors import ConfigError, check_integer
from .loader_arguments import check_data, check_last_batch, check_sampler

__all__ = [
    "UNKNOWN",
    "as_stream",
    "check_samples",
    "check_stream",
    "hidden_columns",
    "make_source",
    "no_length",
    "position_of",
    "read_position",
]

UNKNOWN = 1 << 62
"""Samples of a stream whose end nobody knows: more than there will be."""

_NAMES = ("is a sample", "state of the stream")


def as_stream(data: object) -> object:
    """Returns the Loader's data, wrapped as a stream if they can only be iterated over.

    Raises:
        ConfigTypeError: they can be iterated over only once.
    """
    return Iterable(data) if is_stream(data) and not isinstance(data, Iterable) else data


def check_stream(
    data: Iterable, sampler: object, shuffle: bool, epochs: int | None, batch_size: int, last_batch: str, local: bool
) -> int:
    """Returns the number of samples per epoch.

    Raises:
        ConfigError: an argument does not apply to a stream.
    """
    if shuffle or sampler is not None:
        raise ConfigError(
            f"{'shuffle=True' if shuffle else 'sampler='} is for data with __len__ and __getitem__; a stream comes in "
            "its own order: shuffle where it is made, in a function of `epoch`"
        )
    if local and data.shards > 1:
        raise ConfigError(
            f"local_data=True, and a stream of {data.shards} shards, of which each process reads those of its rows, are two "
            "ways to divide data: leave out one of them"
        )
    if batch_size % data.shards:
        raise ConfigError(
            f"batch_size={batch_size} must be a multiple of the {data.shards} shards, each of which gives as many rows"
        )
    if data.shards > 1 and (epochs is not None if data.length is None else last_batch == "mask"):
        raise ConfigError(
            f"a stream of {data.shards} shards ends earlier in some of them than in others: give epochs=None, or "
            "source.Iterable(..., length=) and last_batch='drop'"
        )
    if data.length is not None and last_batch == "drop" and data.length < batch_size:
        raise ConfigError(
            f"the stream has {data.length} samples, fewer than one batch of {batch_size}, and last_batch='drop' leaves them "
            "out; use last_batch='mask', or a smaller batch_size"
        )
    return UNKNOWN if data.length is None else data.length


def check_samples(
    data: object, sampler: object, shuffle: bool, epochs: int | None, batch_size: int, last_batch: str, local: bool
) -> tuple[int, bool]:
    """Returns the number of samples per epoch, `UNKNOWN` for a stream without length, and whether padding completes the
    last batch.

    Args:
        batch_size: samples of a batch that come from these data.
        local: other processes have other data.

    Raises:
        ConfigError: these are not data, there would be no batch, or the arguments do not fit the data.
    """
    if sampler is not None and not isinstance(data, Iterable):
        check_sampler(sampler, shuffle, batch_size, local)
    check_last_batch(last_batch)
    if isinstance(data, Iterable):
        return check_stream(data, sampler, shuffle, epochs, batch_size, last_batch, local), last_batch == "mask"
    return check_data(data, sampler, batch_size, last_batch), last_batch == "mask"


def first_shard(data: object, batch_size: int, output_sharding: Any) -> int:
    """Returns the first shard of a stream that this process has rows of; 0 for other data."""
    if not isinstance(data, Iterable):
        return 0
    return output_sharding.parts[0] * (batch_size // output_sharding.count) // (batch_size // data.shards)


def make_source(
    data: object, sampler: PartsSampler | LocalRows, structure: Structure, seed: int, epochs: int | None
) -> MapSource | StreamSource:
    """Makes the source that workers read."""
    if isinstance(data, Iterable):
        rows = sampler.alone() if isinstance(sampler, LocalRows) else sampler
        return StreamSource(data, rows, structure, epochs)
    return MapSource(data, sampler, structure, sampler.length, seed, sampler.local_batch_size)


def no_length() -> str:
    """Returns the error text for asking a stream where an epoch ends."""
    return (
        "it is not known how many samples this stream has, so there are neither steps_per_epoch nor epochs to iterate "
        "over: iterate over the loader, and have augment take the mask; or give the number, source.Iterable(data, "
        "length=)"
    )


def hidden_columns(data: object) -> list[Column]:
    """Returns the columns that follow those of a stream's samples."""
    if not isinstance(data, Iterable):
        return []
    real = Column(name=_NAMES[0], host=True, marks_real=data.length is None)
    return [real, Column(name=_NAMES[1], host=True, shapes="ragged")]


def read_position(columns: Sequence[HostColumn]) -> dict[str, object] | None:
    """Returns the position of a stream after a batch, in JSON types; None if the stream does not state it."""
    text = columns[-1].at(0).tobytes().strip()
    return json.loads(text) if text else None


def position_of(record: Any, step: int) -> dict[str, object] | None:
    """Returns the stream's position in a Loader's record; None: count samples to get there.

    Args:
        step: that of the record.

    Raises:
        ConfigError: it is not such a position.
    """
    position = record.get("stream")
    if position is None:
        return None
    try:
        if set(position) != {"epoch", "iteration", "turn", "state"}:
            raise ConfigError(f"expected epoch, iteration, turn and state, got {', '.join(map(str, position))}")
        numbers = {name: check_integer(name, position[name], 0, step) for name in ("epoch", "iteration")}
        numbers["turn"] = check_integer("turn", position["turn"], 0)
        check_state(position["state"])
    except (ConfigError, TypeError) as error:
        raise ConfigError(f"the state's 'stream' is not what get_state wrote: {position!r:.200} ({error})") from error
    return {**numbers, "state": position["state"]}
