"""Reads the first sample of a Loader's data, in this process, when the Loader is made."""

from __future__ import annotations

import contextvars
import functools
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

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


def first_sample(
    data: object, seed: int, timeout_s: float | None, shard: int, complete: Callable[[Iterator[Sample]], Sample]
) -> Sample:
    """Returns the first sample of data, indexed or a stream.

    Args:
        shard: of a stream, the one to open.
        complete: takes the samples from the first one on, and returns what the first one is to be.
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
    reached: list[float] = []
    read = functools.partial(_read, data, seed, shard, complete, reached)
    if timeout_s is None:
        with patience.beside():
            return read()
    seconds = timeout_s if isinstance(data, Iterable) or not reads_several(data) else timeout_s * TOGETHER
    found = _read_within(seconds, read, patience, reached)
    if not found:
        raise SourceError(
            f"the first sample from {whose}, which the Loader reads in its own process, was not there after "
            f"{seconds:g} s (worker_timeout_s); the thread that reads it waits on",
            SampleOrigin(sample_index=0, epoch=0),
        )
    (outcome,) = found
    return outcome()


def _read(
    data: object, seed: int, shard: int, complete: Callable[[Iterator[Sample]], Sample], reached: list[float]
) -> Sample:
    samples = data.samples(shard) if isinstance(data, Iterable) else _indexed(data, seed)
    return complete(_timed(samples, reached))


def _timed(samples: Iterator[Sample], reached: list[float]) -> Iterator[Sample]:
    """Yields samples, and adds to `reached` when each of them was there."""
    for sample in samples:
        reached.append(time.monotonic())
        yield sample


def _indexed(data: Any, seed: int) -> Iterator[Sample]:
    info = sample_info_type(seed)
    for index in range(len(data)):
        try:
            yield from read_samples(data, [index], [info(index, index, 0, 0)])
        except Exception as error:
            error.add_note(
                f"raised by data[{index}], from which a Loader learns what samples hold; data are read by index, from 0 on"
            )
            raise


def _read_within(
    seconds: float, read: Callable[[], Sample], patience: Patience, reached: list[float]
) -> list[Callable[[], Sample]]:
    """Calls `read` in another thread. Returns a function that returns or raises what it did; nothing if it is late.

    Args:
        reached: when it had each of its samples. Each may take as long.
    """
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
    begun = time.monotonic()
    while not over.wait(min(_POLL_S, max((reached or [begun])[-1] + seconds - time.monotonic(), 0.0))):
        if time.monotonic() >= (reached or [begun])[-1] + seconds:
            break
        patience.wait()
    if over.is_set():
        thread.join()  # it has nothing left to do; a thread would keep later workers from being forked
        return outcome
    return []


def _itself(sample: Sample) -> Sample:
    return sample


def _raise(error: BaseException) -> Sample:
    raise error
