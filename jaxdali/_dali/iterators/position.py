"""Where an iterator continues that is made from the checkpoints of another one."""

from __future__ import annotations

from collections.abc import Sequence

from jaxdali.errors import ConfigError, check_integer
from ..pipeline.session import Session

__all__ = ["position_of"]

# Epochs are skipped one by one, ten million in a few seconds.
_MOST_EPOCHS = 10_000_000


def position_of(sessions: Sequence[Session], streams: bool) -> tuple[int, int, bool]:
    """Returns how many epochs have passed, how many batches of this one were given, and whether it has ended.

    Args:
        sessions: those of the pipelines.
        streams: epochs are cut from a stream, which does not say where they begin.

    Raises:
        ConfigError: the pipelines' checkpoints are not those of one iterator.
    """
    states = [session.restored and session.restored.iterator for session in sessions]
    if states[0] is not None and all(state == states[0] for state in states):
        return _checked(states[0])
    if any(state is not None for state in states):
        raise ConfigError(f"the pipelines were made from checkpoints of different iterators: {states!r:.200}")
    if streams and any(session.restored is not None for session in sessions):
        raise ConfigError(
            "the checkpoint is from a pipeline alone, and does not say where in its epoch an iterator is: use the "
            "iterator's, from checkpoints()"
        )
    return 0, 0, False


def _checked(state: dict[str, object]) -> tuple[int, int, bool]:
    if state.keys() != {"epoch", "given", "at_end"} or not isinstance(state["at_end"], bool):
        raise ConfigError(
            f"checkpoints= expects what the iterator's checkpoints() returned, got one with {state!r:.80}"
        )
    passed = check_integer("epoch of the iterator's checkpoint", state["epoch"], 0, _MOST_EPOCHS)
    return passed, check_integer("given of the iterator's checkpoint", state["given"], 0), state["at_end"]
