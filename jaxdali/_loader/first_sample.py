"""Reads the first sample of a Loader's data, in this process, when the Loader is made."""

from __future__ import annotations

import contextvars
import functools
import threading
import time
from collections.abc import Callable

from jaxdali._base.aliases import Sample
from jaxdali._base.patience import Patience
from jaxdali._base.source_infos import sample_info_type
from jaxdali._feed.source.access import TOGETHER, read_samples, reads_several
from jaxdali._feed.source.classify import describe
from jaxdali._feed.source.stream import Iterable
from jaxdali.errors import SampleOrigin, SourceError

__all__ = ["first_sample"]

# While a sample is read in another thread, how often this one looks whether it should say something.
_POLL_S = 0.1

_THREAD = "jaxdali-first-sample"


def first_sample(data: object, seed: int, timeout_s: float | None = None, shard: int = 0) -> Sample:
    """Returns the first sample of data, indexed or a stream.

    Args:
        shard: of a stream, the one to open.
        timeout_s: how long a worker may take for a sample. A thread of its own reads the sample then, because nothing
            else could be left behind while user code waits for ever. None: no limit, and this thread reads it.

    Raises:
        SourceError: it was not read in time.
        Exception: whatever the data raise.
    """
    whose = describe(data.data if isinstance(data, Iterable) else data)
    patience = Patience(
        lambda: (
            f"the first sample from {whose}, which the Loader reads in its own process, to learn what samples hold"
            + ("; pass worker_timeout_s= to have that end with an error" if timeout_s is None else "")
        )
    )
    read = functools.partial(_read, data, seed, shard)
    if timeout_s is None:
        with patience.beside():
            return read()
    seconds = timeout_s if isinstance(data, Iterable) or not reads_several(data) else timeout_s * TOGETHER
    found = _read_within(seconds, read, patience)
    if not found:
        raise SourceError(
            f"the first sample from {whose}, which the Loader reads in its own process, was not there after "
            f"{seconds:g} s (worker_timeout_s); the thread that reads it waits on",
            SampleOrigin(sample_index=0, epoch=0),
        )
    (outcome,) = found
    return outcome()


def _read(data: object, seed: int, shard: int) -> Sample:
    if isinstance(data, Iterable):
        return data.first(shard)
    try:
        return next(read_samples(data, [0], [sample_info_type(seed)(0, 0, 0, 0)]))
    except Exception as error:
        error.add_note(
            "raised by data[0], from which a Loader learns what samples hold; data are read by index, from 0 on"
        )
        raise


def _read_within(seconds: float, read: Callable[[], Sample], patience: Patience) -> list[Callable[[], Sample]]:
    """Calls `read` in another thread. Returns a function that returns or raises what it did; nothing if it is late."""
    outcome: list[Callable[[], Sample]] = []
    over = threading.Event()

    def work() -> None:
        try:
            outcome.append(functools.partial(_itself, read()))
        except BaseException as error:
            error.add_note(
                f"raised in the thread {_THREAD!r}: with worker_timeout_s= a Loader reads the first sample in a thread of "
                "its own, so data must open anew in each thread what only one may use, such as a connection or event loop"
            )
            outcome.append(functools.partial(_raise, error))
        finally:
            over.set()

    # What the user set for this thread, such as NumPy's treatment of errors, holds for reading the sample, too.
    thread = threading.Thread(target=contextvars.copy_context().run, args=(work,), name=_THREAD, daemon=True)
    thread.start()
    until = time.monotonic() + seconds
    while not over.wait(min(_POLL_S, max(until - time.monotonic(), 0.0))) and time.monotonic() < until:
        patience.wait()
    if over.is_set():
        thread.join()  # it has nothing left to do; a thread would keep later workers from being forked
        return outcome
    return []


def _itself(sample: Sample) -> Sample:
    return sample


def _raise(error: BaseException) -> Sample:
    raise error
