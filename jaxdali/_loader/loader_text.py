"""What a Loader looks like to a person: its data, order, position and batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jaxdali._base.interruptions import is_interruption
from jaxdali._base.public_names import public_name
from jaxdali._feed.source import access

if TYPE_CHECKING:
    from .step_count import StepCount

__all__ = ["data_as_text", "loader_as_text", "order_as_text"]

_LONGEST = 300
_OURS = access.__name__.rpartition(".")[0] + "."


class _Leaf:
    """Stands for an array in the repr of a batch."""

    def __init__(self, spec: Any):
        self._spec = spec

    def __repr__(self) -> str:
        return f"{self._spec.dtype}{list(self._spec.shape)}"


def data_as_text(data: object) -> str:
    """Returns the repr of data of `jaxdali.source`; of a user's own, whose repr may be anything, the type and the number of
    samples.
    """
    try:
        if type(data).__module__.startswith(_OURS):
            return _cut(repr(data))
        count = f", {len(data)} samples" if hasattr(type(data), "__len__") else ""  # type: ignore[arg-type]
        return f"{public_name(type(data))}{count}"
    except Exception as error:
        if is_interruption(error):
            raise
        return public_name(type(data))


def order_as_text(given: Mapping[str, Any]) -> str:
    """Returns the arguments that say which batches there are, as they are written."""
    names = [
        name
        for name in ("sampler", "shuffle", "seed", "epochs")
        if given[name] is not None and given[name] is not False
    ]
    return ", ".join(f"{name}={_cut(str(given[name]))}" for name in ("batch_size", *names))


def loader_as_text(data: str, order: str, count: StepCount, step: int, batch: object) -> str:
    """Returns the repr of a Loader.

    Args:
        data: what it reads.
        order: the arguments that say in which order.
        step: where it stands.
        batch: the structure of a batch.
    """
    import jax

    if count.is_stream:
        place = f"step {step} of a stream"
    else:
        end = "" if count.end is None else f" of {count.end}"
        epoch = step // count.steps if count.steps else 0
        ended = " (the end)" if step == count.end else f", in epoch {epoch}"
        place = f"step {step}{end}{ended}; {count.steps} steps an epoch"
    return "\n".join(
        [f"Loader({data}, {order})", f"  next: {place}", f"  batches: {_cut(repr(jax.tree.map(_Leaf, batch)))}"]
    )


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
