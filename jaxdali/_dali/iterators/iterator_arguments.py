"""Checks the arguments of this package's iterators."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from jaxdali._base.dtypes import PipelineAPIType
from jaxdali._base.user_warnings import warn_user
from jaxdali._run.executor.decode_failures import check_on_error
from jaxdali.errors import ConfigAssertionError, ConfigError, ConfigIndexError, ConfigTypeError, check_integer
from ..epochs.epochs import Epochs, ReaderEpochs, SizedEpochs
from ..epochs.last_batch_policy import LastBatchPolicy
from ..pipeline.pipeline import Pipeline, session_of
from ..pipeline.session import Session

__all__ = [
    "OwnPipelines",
    "check_names",
    "check_outputs",
    "check_pipelines",
    "is_yes",
    "length_of",
    "make_epochs",
    "policy_of",
    "reader_pads",
    "set_on_error",
    "shards_of",
    "warn_of_size",
]


class OwnPipelines(list[Pipeline]):
    """Pipelines that belong to an iterator, which closes them together with itself."""


def check_pipelines(pipelines: Pipeline | Sequence[Pipeline]) -> list[Pipeline]:
    """Returns the pipelines as a list.

    Raises:
        ConfigTypeError: something is not a pipeline.
        ConfigIndexError: there are none.
        ConfigAssertionError: it is None, or batch sizes differ.
        StateError: one of them was run in another way.
    """
    several = list(pipelines) if isinstance(pipelines, Sequence) else [pipelines]
    if not several or not all(isinstance(pipeline, Pipeline) for pipeline in several):
        kind = ConfigIndexError if not several else ConfigAssertionError if pipelines is None else ConfigTypeError
        raise kind(f"the iterator expects a Pipeline or a list of them, got {pipelines!r}")
    sizes = [session_of(pipeline).options.batch_size for pipeline in several]
    if len(set(sizes)) > 1:
        raise ConfigAssertionError(f"All pipelines should have the same batch size set; got {sizes}")
    for pipeline in several:
        session_of(pipeline).use_api(PipelineAPIType.ITERATOR)
    return several


def check_names(output_map: Sequence[str]) -> list[str]:
    """Returns the names of the outputs.

    Raises:
        ConfigTypeError: it is not a list.
        ConfigError: it is empty.
        ConfigAssertionError: a name occurs twice.
    """
    if isinstance(output_map, str):
        raise ConfigTypeError(f"output_map expects a list of names, got {output_map!r}; write [{output_map!r}]")
    if not output_map:
        kind = ConfigTypeError if output_map is None else ConfigError
        raise kind("output_map is empty, but must name the outputs: name them there, or return a dictionary")
    if len(set(output_map)) != len(output_map):
        raise ConfigAssertionError(f"output_map names should be distinct, got {list(output_map)}")
    return list(output_map)


def check_outputs(names: Sequence[str], session: Session) -> None:
    """Checks that each output of a pipeline has a name. Nothing is known of those of a pipeline in debug mode.

    Warns:
        UserWarning: some have none; as in DALI they are left out.

    Raises:
        ConfigIndexError: there are more names than outputs.
    """
    outputs = [node.call.operator.display_name for node in session.plan.outputs]
    if not outputs or len(outputs) == len(names):
        return
    if len(names) > len(outputs):
        raise ConfigIndexError(
            f"output_map has {len(names)} names, {', '.join(map(repr, names))}, but the pipeline has {len(outputs)} "
            f"output{'s' if len(outputs) > 1 else ''}: {', '.join(outputs)}. Give one name for each, in their order"
        )
    left_out = ", ".join(f"{index} ({outputs[index]})" for index in range(len(names), len(outputs)))
    warn_user(
        f"output_map has {len(names)} name{'s' if len(names) > 1 else ''}, {', '.join(map(repr, names))}, but the pipeline "
        f"has {len(outputs)} outputs: batches are without output {left_out}. Name each, in their order, or return fewer "
        "from the pipeline",
        UserWarning,
    )


def is_yes(value: bool | str | None) -> bool:
    """Parses DALI's values for whether an iterator resets itself."""
    if value in (True, "yes"):
        return True
    if value in (False, None, "no"):
        return False
    raise ConfigError(f"auto_reset must be True, False, 'yes' or 'no', got {value!r}")


def policy_of(policy: object, fill_last_batch: bool | None, is_cut: bool) -> LastBatchPolicy:
    """Returns the policy, also from its deprecated form.

    Args:
        is_cut: the batch has a part for each device, or an axis for them.

    Raises:
        ConfigError: it is no policy, or two are given.
        ConfigAssertionError: its shapes are impossible with several devices.
    """
    if fill_last_batch is not None:
        if policy is not LastBatchPolicy.FILL:
            raise ConfigError("fill_last_batch is the old name of last_batch_policy; give only last_batch_policy")
        policy = LastBatchPolicy.FILL if fill_last_batch else LastBatchPolicy.PARTIAL
    if not isinstance(policy, LastBatchPolicy):
        raise ConfigError(f"last_batch_policy must be LastBatchPolicy.FILL, DROP or PARTIAL, got {policy!r}")
    if policy is LastBatchPolicy.PARTIAL and is_cut:
        raise ConfigAssertionError(
            "a JAX iterator over several devices, or with an axis for them, does not support partial last batch policy: all "
            "shards of an array have one shape. Use FILL or DROP"
        )
    return policy


def make_epochs(
    sessions: Sequence[Session],
    size: int,
    reader_name: str | None,
    policy: LastBatchPolicy,
    last_batch_padded: bool,
    parts: int,
) -> Epochs | None:
    """Returns how long epochs are; None if the source decides.

    Args:
        sessions: those of the pipelines.
        parts: the number of parts of the global batch, in all processes, each made by one pipeline.

    Raises:
        ConfigAssertionError: the arguments or the pipelines do not go together.
        ConfigError: the shards are too small.
    """
    batch_size = sessions[0].options.batch_size
    if reader_name is not None:
        if size != -1:
            raise ConfigAssertionError("When reader_name is provided, size should not be set: the reader knows it")
        if last_batch_padded:
            raise ConfigAssertionError(
                "When reader_name is provided, last_batch_padded should not be set: the reader knows it"
            )
        return _reader_epochs(sessions, reader_name, batch_size, policy)
    if size == 0:
        raise ConfigAssertionError("Size cannot be 0; it must be positive, or -1 for the source's own end")
    size = check_integer("size", size, -1)
    # A source that declares its length ends there.
    carries = size != -1 and all(session.plan.goes_on for session in sessions)
    if size == -1 and parts > 1:
        raise ConfigAssertionError(
            "Negative size is supported only for a single pipeline; give size=, the number of samples of this process"
        )
    known = length_of(sessions)
    if size == -1:
        if known is None:
            return None
        size = known
    elif known is not None:
        size = min(size, known)
    whole = batch_size * len(sessions)
    return SizedEpochs(size, whole, policy, carries=carries, padded=last_batch_padded)


def length_of(sessions: Sequence[Session]) -> int | None:
    """Returns how many samples a source of a single pipeline declares that it has; None if it does not."""
    return sessions[0].plan.samples if len(sessions) == 1 else None


def shards_of(sessions: Sequence[Session], reader_name: str | None) -> list[int] | None:
    """Returns the shard of the epoch that each pipeline reads; None if several share one in an unknown way."""
    if reader_name is not None:
        metas: list[Any] = [session.definition.reader_meta(reader_name) for session in sessions]
        return [meta["shard_id"] for meta in metas]
    return [0] if len(sessions) == 1 else None


def reader_pads(session: Session, reader_name: str) -> bool:
    """Whether a reader completes the last batch of its shards."""
    meta: Any = session.definition.reader_meta(reader_name)
    return bool(meta["pad_last_batch"])


def set_on_error(sessions: Sequence[Session], on_error: str) -> None:
    """Sets what happens to files that cannot be decoded.

    Raises:
        ConfigError: it is neither "raise" nor "zeros".
    """
    for session in sessions:
        session.failures.on_error = check_on_error(on_error)


def warn_of_size(sessions: Sequence[Session], size: int) -> None:
    """With several processes: warns of a `size` that may have been meant for all of them, as the batch size is."""
    if size == -1 or not all(session.plan.endless for session in sessions):
        return
    metas: list[Any] = [meta for session in sessions for meta in session.definition.reader_meta().values()]
    largest = max(-(-meta["epoch_size"] // meta["number_of_shards"]) for meta in metas)
    read = largest * len(sessions)
    if size > read:
        warnings.warn(
            f"size={size} counts the samples of the {len(sessions)} pipelines of this process, as in DALI, but their "
            f"readers have {read} samples in an epoch: some come several times. Give reader_name=, which knows the "
            f"epochs of all processes, or size={read}",
            UserWarning,
            stacklevel=3,
        )


def _reader_epochs(
    sessions: Sequence[Session], reader_name: str, batch_size: int, policy: LastBatchPolicy
) -> ReaderEpochs:
    metas: list[Any] = [session.definition.reader_meta(reader_name) for session in sessions]
    for key in metas[0]:
        values = [meta[key] for meta in metas]
        if key != "shard_id" and len(set(values)) > 1:
            raise ConfigAssertionError(f"Reader Operator should have the same {key} in all the pipelines, got {values}")
    epochs = ReaderEpochs(metas[0], batch_size, policy)
    if not epochs.batches:
        raise ConfigError(
            f"the smallest shard has {metas[0]['epoch_size'] // metas[0]['number_of_shards']} samples, fewer than one batch "
            f"of {batch_size}, and DROP leaves it out; use FILL, or a smaller batch_size"
        )
    return epochs
