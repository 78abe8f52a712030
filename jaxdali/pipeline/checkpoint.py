"""The position of a pipeline as one small record."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import warnings
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from ..errors import ConfigError
from ..executor.prefetch import Executor
from ..workers.feed import Feed
from .node import DataNode
from .plan import Plan
from .reader_spec import ReaderSpec
from .source_spec import SourceSpec
from .trace import Graph

__all__ = ["Checkpoint", "resume", "take"]

_VERSION = 1


@dataclasses.dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """Where a pipeline is, by what was handed out.

    Attributes:
        seed: of the pipeline.
        graph: fingerprint of its graph and batch size.
        epoch, iteration: of the batch that comes next.
        streams: of each reader, by the name of its first output, which batch of its stream that is.
        iterator: what an iterator over the pipeline has to remember.
    """

    seed: int
    graph: str
    epoch: int
    iteration: int
    streams: dict[str, int]
    iterator: dict[str, Any] | None = None

    def dump(self) -> bytes:
        """The record, JSON."""
        return json.dumps({"version": _VERSION, **dataclasses.asdict(self)}).encode()

    @classmethod
    def load(cls, record: bytes | str) -> Checkpoint:
        """What `dump` returned.

        Raises:
            ConfigError: something else.
        """
        try:
            fields = json.loads(record)
            if fields.pop("version") != _VERSION:
                raise ValueError("another version")
            return cls(**fields)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ConfigError(
                f"checkpoint= wants what Pipeline.checkpoint() returned, got {record!r:.80} ({error})"
            ) from error


def take(
    seed: int, graph: Graph, epoch: int, feeds: Sequence[Feed], executor: Executor, iterator: dict[str, Any] | None
) -> Checkpoint:
    """Of a pipeline as it is."""
    positions = zip(feeds, executor.stream_positions(), strict=True)
    return Checkpoint(
        seed=seed,
        graph=_fingerprint(graph, feeds),
        epoch=epoch,
        iteration=executor.position,
        streams={feed.columns[0].name: position for feed, position in positions if position is not None},
        iterator=iterator,
    )


def resume(checkpoint: Checkpoint, graph: Graph, plan: Plan, feeds: Sequence[Feed], executor: Executor) -> None:
    """Has a pipeline that was only just built go on elsewhere. Warns of sources that cannot.

    Raises:
        ConfigError: the checkpoint is of another graph.
    """
    if checkpoint.graph != _fingerprint(graph, feeds):
        raise ConfigError(
            "the checkpoint was taken of another pipeline: operators, their arguments, readers or batch_size differ"
        )
    forgetful = [feed.source.description for feed in plan.feeds if feed.source.stateful or _takes_nothing(feed.source)]
    if forgetful and (checkpoint.epoch or checkpoint.iteration):
        warnings.warn(
            f"a checkpoint does not capture the state of {', '.join(forgetful)}, which begins anew: make it a function of "
            "SampleInfo, or of the iteration, to have it go on",
            stacklevel=4,
        )
    for feed in feeds:
        if feed.job.source.endless:
            feed.seek_stream(checkpoint.streams[feed.columns[0].name])
    executor.restart(checkpoint.epoch, checkpoint.iteration)


def _fingerprint(graph: Graph, feeds: Sequence[Feed]) -> str:
    """Tells pipelines apart whose data or draws differ. The user's functions are not looked into."""
    parts: list[Any] = [feeds[0].options.batch_size]
    for operator in graph.operators:
        parts += [operator.kind, operator.name, operator.random_index, [node.name for node in operator.inputs]]
        parts += [[name, _describe(value)] for name, value in sorted(operator.arguments.items())]
        parts.append(_constants(operator.evaluate))
        settings = operator.settings
        if isinstance(settings, SourceSpec):
            parts.append([str(settings.kind), settings.batch, str(settings.cycle), settings.num_outputs])
        elif isinstance(settings, ReaderSpec):
            parts.append([settings.meta, settings.sharding, settings.seed, settings.shuffle_after_epoch_seed])
            parts.append(settings.files.digest())
    parts.append([node.name for node in graph.outputs or ()])
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:32]


def _constants(evaluate: Callable[..., Any] | None) -> list[Any]:
    """What an operator was told that its graph does not show: numbers and words that its function closes over, or another
    one that it calls.
    """
    cells = getattr(evaluate, "__closure__", None) or ()
    values = [cell.cell_contents for cell in cells]
    return [
        _constants(value) if isinstance(value, FunctionType) else _describe(value)
        for value in values
        if isinstance(value, FunctionType) or _is_plain(value)
    ]


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return all(_is_plain(entry) for entry in value)
    return value is None or isinstance(value, bool | int | float | str | np.ndarray | np.generic | np.dtype)


def _describe(value: Any) -> Any:
    if isinstance(value, DataNode):
        return value.name
    try:
        array = np.asarray(value)
    except ValueError:  # of lists that are no array
        return repr(value)
    if array.dtype == object:
        return repr(value)
    return [str(array.dtype), array.shape, hashlib.sha256(array.tobytes()).hexdigest()]


def _takes_nothing(source: Any) -> bool:
    return not getattr(source, "takes_info", getattr(source, "takes_argument", True))
