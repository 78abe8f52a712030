"""The error text for a worker that died, and for the work it was doing."""

from __future__ import annotations

import threading
from typing import Any

from jaxdali._base.interruptions import raised_by_handler
from jaxdali.errors import SampleOrigin
from ..ring.served_source import ServedSource
from .items import item_of
from .launcher import Death, describe_exit
from .worker_state import Member

__all__ = ["death_error", "said_of"]

# How long a source may take to say what a sample is called. One that takes longer is not asked again.
_SAYS_S = 1.0


def death_error(
    death: Death, member: Member, lost: tuple[ServedSource, int, int] | None, reason: str
) -> tuple[Any, ...]:
    """Returns the arguments of a WorkerError for a death that cannot be recovered from.

    Args:
        lost: (source, slot, chunk) of the work that is lost with the worker; None if there was none.
        reason: why the work cannot be done again, as the end of the text.
    """
    place: dict[str, Any] = {}
    work = "it was idle" if member.loaded else "it had not loaded its source"
    if lost is not None:
        served, slot, chunk = lost
        start, stop, _, _, position = served.ring.chunk_info(slot)[chunk]
        epoch, iteration, first_sample = served.ring.batch_info(slot)
        place["output"] = ", ".join(column.name for column in served.columns)
        work = f"it was working on samples {first_sample + start} to {first_sample + stop - 1}"
        if served.source.stateful:  # a batch requested in one epoch may be taken in the next, as another iteration
            work = "it was working on the next batch"
        else:
            sample: int | None = first_sample + min(position, stop - 1)
            if item := item_of(member.reads, served, slot, chunk):
                sample = item[0]
                work += f", and read {item[1]}"
            place |= {
                "source_info": None if sample is None else said_of(served, sample, epoch),
                "sample_index": sample,
                "iteration": iteration,
                "epoch": epoch,
            }
    hint = " (out of memory?)" if death.exit_code == -9 and not (member.hung or death.why) else ""
    return (
        f"a worker process died by {describe_exit(death.exit_code)}{death.why}{member.hung}{hint}; {work}{reason}",
        SampleOrigin(worker_id=death.worker_id, pid=death.pid, **place),
        death.exit_code,
    )


def said_of(served: ServedSource, sample: int, epoch: int) -> str | None:
    """Returns the source's name for a sample, such as its file; None if it has none or does not say it soon.

    The user's method runs in a thread: where a worker hangs, it may hang, too, and must not hide that.
    """
    source = served.source
    if source.batch_mode or not source.says_names:
        return None
    found: list[str | None] = []

    def ask() -> None:
        try:
            found.append(source.source_info(sample, epoch))
        except Exception as error:  # of the user's method; it must not hide the worker's death
            if raised_by_handler(error):
                raise

    thread = threading.Thread(target=ask, name="jaxdali-name", daemon=True)
    try:
        thread.start()
    except RuntimeError as error:  # the system has no more of them, which may be what the worker died of
        if raised_by_handler(error):
            raise
        return None
    thread.join(timeout=_SAYS_S)
    source.says_names = not thread.is_alive()
    return found[0] if found else None
