"""The position of a pipeline as one small record."""

from __future__ import annotations

import dataclasses
import json
import warnings
from collections.abc import Sequence
from typing import Any

from jaxdali._base.documentation import page_url
from jaxdali._feed.ring.feed import Feed
from jaxdali._feed.source.push_source import FedSource
from jaxdali._run.executor.prefetch import Executor
from jaxdali.errors import ConfigError, check_integer
from ..graph.call_sites import user_stacklevel
from ..graph.graph import Graph
from ..graph.graph_identity import Identity, describe_difference, identify
from ..planner.options import PipelineOptions
from ..planner.plan import Plan

__all__ = ["Checkpoint", "identity_of", "resume", "take", "warn_of_forgetful"]

# Version 1 identified a graph by what its functions closed over, and mistook some different graphs for equal; version 2
# by the calls that defined it, including unused ones; version 3 by all parameters, so that one more made another pipeline.
_VERSION = 4

# The pipeline's options that change its batches. Where it runs, how far ahead and on how many threads does not.
_OPTIONS = ("batch_size", "on_error", "max_image_pixels")

_LARGEST = 16 << 20  # limit on the bytes of a record
# Limit on epochs, and on samples of an epoch or stream. Larger numbers would overflow elsewhere.
_MOST = 1 << 48


@dataclasses.dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """The position of a pipeline, counted in batches that were handed out.

    Attributes:
        seed: that of the pipeline.
        pipeline: identifies the pipeline.
        epoch, iteration: those of the next batch.
        streams: for each reader, by name, the index of the next batch in its stream.
        iterator: what an iterator over the pipeline needs to remember.
    """

    seed: int
    pipeline: Identity
    epoch: int
    iteration: int
    streams: dict[str, int]
    iterator: dict[str, Any] | None = None

    def dump(self) -> bytes:
        """Returns the record as JSON."""
        return json.dumps({"version": _VERSION, **dataclasses.asdict(self)}, separators=(",", ":")).encode()

    @classmethod
    def load(cls, record: bytes | str) -> Checkpoint:
        """Parses what `dump` returned.

        Raises:
            ConfigError: it is something else, or a record of another version.
        """
        try:
            if len(record) > _LARGEST:
                raise ValueError(f"more than {_LARGEST} bytes")
            fields = json.loads(record)
            version = fields.pop("version")
            if type(version) is not int:
                raise ValueError(f"version {version!r:.20}")
            if version == _VERSION:
                return cls(**_checked(**fields))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            got = record[:80] if isinstance(record, bytes | str) else record
            raise ConfigError(
                f"checkpoint= expects what Pipeline.checkpoint() returned, got {got!r:.80} ({error!s:.200})"
            ) from error
        raise ConfigError(
            f"the checkpoint has version {version}, but this jaxdali resumes only from version {_VERSION}: start over, "
            f"or resume with the jaxdali that wrote it ({page_url('versions', 'what-is-saved')})"
        )


def _checked(**fields: object) -> dict[str, Any]:
    """Checks the fields of a record, which anybody may have written."""
    names = {field.name for field in dataclasses.fields(Checkpoint)}
    if fields.keys() != names:
        raise ValueError(f"expected {', '.join(sorted(names))}; got {', '.join(sorted(fields))}")
    check_integer("seed", fields["seed"], 0, (1 << 64) - 1)
    for name in ("epoch", "iteration"):
        check_integer(name, fields[name], 0, _MOST)
    for name, position in _table(fields["streams"]).items():
        check_integer(f"the stream {name}", position, 0, _MOST)
    if fields["iterator"] is not None:
        _table(fields["iterator"])
    mine = _table(fields["pipeline"])
    calls = [
        (_text(function), {name: _text(value) for name, value in _table(given).items()})
        for function, given in mine["calls"]
    ]
    return {**fields, "pipeline": Identity(_text(mine["digest"]), _table(mine["options"]), calls)}


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"expected an object, got {value!r:.40}")
    for name in value:
        _text(name)
    return value


def _text(value: object) -> str:
    """Checks that a string is printable ASCII, as ours are, because an error may show it."""
    if not isinstance(value, str) or not value.isascii() or not value.isprintable():
        raise TypeError(f"expected text, got {value!r:.40}")
    return value


def identity_of(graph: Graph, options: PipelineOptions) -> Identity:
    """Returns the identity of a pipeline."""
    return identify(graph, {name: getattr(options, name) for name in _OPTIONS})


def take(
    seed: int,
    pipeline: Identity,
    plan: Plan,
    executor: Executor,
    iterator: dict[str, object] | None,
) -> Checkpoint:
    """Takes the checkpoint of a pipeline."""
    positions = zip(_stream_names(plan), executor.stream_positions(), strict=True)
    return Checkpoint(
        seed=seed,
        pipeline=pipeline,
        epoch=executor.epoch,
        iteration=executor.position,
        streams={name: position for name, position in positions if position is not None},
        iterator=iterator,
    )


def resume(
    checkpoint: Checkpoint,
    mine: Identity,
    graph: Graph,
    options: PipelineOptions,
    plan: Plan,
    feeds: Sequence[Feed],
    executor: Executor,
) -> None:
    """Moves a pipeline that was just built to the position of a checkpoint. Warns of sources that cannot continue
    there.

    Raises:
        ConfigError: the checkpoint is of another pipeline, or its position is impossible.
    """
    if checkpoint.pipeline.digest != mine.digest:
        raise ConfigError(
            "the checkpoint is from another pipeline: " + describe_difference(mine, checkpoint.pipeline, graph)
        )
    named = zip(_stream_names(plan), feeds, strict=True)
    streams = {name: feed for name, feed in named if feed.served.source.endless}
    if checkpoint.streams.keys() != streams.keys():
        raise ConfigError(
            f"the checkpoint has the streams {sorted(checkpoint.streams)}, but the pipeline has {sorted(streams)}"
        )
    for name, batch in {"iteration": checkpoint.iteration, **checkpoint.streams}.items():
        check_integer(f"{name} of the checkpoint", batch, 0, _MOST // options.batch_size)
    forgetful = _forgetful(plan)
    if forgetful and (checkpoint.epoch or checkpoint.iteration):
        warnings.warn(
            f"a checkpoint does not capture the state of {', '.join(forgetful)}, which starts over: make it a function "
            "of SampleInfo, or of the iteration, so that it resumes",
            stacklevel=7,
        )
    for name, feed in streams.items():
        feed.seek_stream(checkpoint.streams[name])
    executor.restart(checkpoint.epoch, checkpoint.iteration)


def _stream_names(plan: Plan) -> list[str]:
    """Returns a name for each feed: the user's, or its operator and its number among that operator's feeds. Automatic
    names would not do, because they also count unused calls.
    """
    names = []
    counts: dict[str, int] = {}
    for feed in plan.feeds:
        display_name = feed.call.operator.display_name
        number = counts.get(display_name, 0)
        counts[display_name] = number + (not feed.call.named)
        names.append(feed.call.label if feed.call.named else f"{display_name} {number}")
    return names


def warn_of_forgetful(plan: Plan) -> None:
    """Warns of sources that would not continue from the checkpoints of this pipeline."""
    for feed in plan.feeds:
        if not getattr(feed.source, "has_checkpoints", True):
            raise ConfigError(
                f"enable_checkpointing=True: checkpointing is not implemented for {feed.call.operator.display_name}, as in "
                "DALI: the position in a video is not kept. Leave it out, or read clips with fn.readers.video"
            )
    # Users who feed data know that.
    forgetful = [name for name in _forgetful(plan) if name != FedSource.description]
    if forgetful:
        warnings.warn(
            f"enable_checkpointing=True, but a checkpoint does not capture the state of {', '.join(forgetful)}: a "
            "pipeline that is made from it starts that over. Make it a function of SampleInfo, or of the iteration, "
            "so that it resumes",
            UserWarning,
            stacklevel=user_stacklevel(),
        )


def _forgetful(plan: Plan) -> list[str]:
    """Returns descriptions of the sources whose state a checkpoint does not capture."""
    return [feed.source.description for feed in plan.feeds if feed.source.stateful or _takes_nothing(feed.source)]


def _takes_nothing(source: object) -> bool:
    return not getattr(source, "takes_info", getattr(source, "takes_argument", True))
