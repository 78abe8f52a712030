"""Metrics: what happened since the last time somebody asked, as a flat dict of numbers for dashboards."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Protocol

from jaxdali._base.batch import Status
from jaxdali._feed.ring.feed import Feed
from .decode_failures import DecodeFailures
from .prefetch import Executor, count_ahead, times_of

__all__ = ["Metrics", "combined"]

# docs/metrics.md says what each of them is; names stay (docs/versions.md). In the order in which they are counted.
_FAILED = {
    status.name: f"{status.name.lower()}_images" for status in Status if status not in (Status.OK, Status.MISSING)
}
_COUNTS = (
    *("batches", "samples", "bytes", "jpeg_files", "decoded_images", "clips", "sounds", *_FAILED.values()),
    *("worker_deaths", "worker_restarts", "chunks_redone", "slot_growths"),
    *("engine_gpu", "engine_host", "engine_missed"),
    *("wait_source_s", "wait_decoder_s", "wait_device_s", "dispatch_s", "next_s"),
)
_LEVELS = ("queue_depth", "queue_requested", "workers_alive", "slots_leased")
_ENGINE = ("gpu", "host", "missed")


class Counted(Protocol):
    """What has metrics: the session of a pipeline, or a Loader's `StepRunner`."""

    feeds: list[Feed]

    @property
    def executor(self) -> Executor | None: ...
    @property
    def failures(self) -> DecodeFailures: ...


class Metrics:
    """Makes the metrics of one pipeline or Loader: counts are those since the last call."""

    def __init__(self) -> None:
        self._before: tuple[float, ...] = (0,) * len(_COUNTS)
        self._at: float | None = None
        self._final: tuple[tuple[float, ...], tuple[int, ...], float] | None = None

    def read(self, owner: Counted) -> dict[str, float]:
        """Returns the metrics. Any thread may call it."""
        executor = owner.executor
        counts, levels, now = self._final or _look(executor, owner.failures, owner.feeds)
        before, self._before = self._before, counts
        # An executor that was made anew counts from zero.
        began = self._at
        if began is None:
            began = now if executor is None else executor.asked_at or now
        self._at = now
        since: dict[str, float] = {
            name: new - old if new >= old else new for name, new, old in zip(_COUNTS, counts, before, strict=True)
        }
        since["seconds"] = now - began
        return {
            **_rates(since),
            **since,
            "failed_images": sum([since[name] for name in _FAILED.values()]),
            **dict(zip(_LEVELS, levels, strict=True)),
        }

    def close(self, owner: Counted) -> None:
        """Keeps what was counted until now: the parts that count are about to end."""
        if self._final is None:
            counts, _, now = _look(owner.executor, owner.failures, owner.feeds)
            if self._at is None and owner.executor is not None:
                self._at = owner.executor.asked_at or now
            self._final = counts, (0, 0, 0, 0), now


def combined(found: Sequence[dict[str, float]]) -> dict[str, float]:
    """Returns the metrics of several pipelines that one thread takes batches from, one after the other."""
    if len(found) == 1:
        return found[0]
    both = {name: sum(one[name] for one in found) for name in found[0]}
    for name in ("seconds", "batches"):
        both[name] = max(one[name] for one in found)
    for name in ("queue_depth", "queue_requested"):
        both[name] = min(one[name] for one in found)
    # Each engine serves all pipelines of the process, and each of these has counted what it did.
    for name in _ENGINE:
        both[f"engine_{name}"] = max(one[f"engine_{name}"] for one in found)
    return both | _rates(both)


def _rates(since: Mapping[str, float]) -> dict[str, float]:
    per_s = 1 / since["seconds"] if since["seconds"] > 0 else 0.0
    waited = since["wait_source_s"] + since["wait_decoder_s"] + since["wait_device_s"]
    rates = {f"{name}_per_s": since[name] * per_s for name in ("samples", "batches", "bytes")}
    return {**rates, "waiting": waited * per_s}


def _look(
    executor: Executor | None, failures: DecodeFailures, feeds: Sequence[Feed]
) -> tuple[tuple[float, ...], tuple[int, ...], float]:
    """Returns all counts since the beginning, in the order of `_COUNTS`; what is the case now; and when that is."""
    failed = [failures.counts[name] for name in _FAILED]
    if executor is None:
        return (0,) * 7 + (*failed, *(0,) * (len(_COUNTS) - 7 - len(failed))), (0, 0, 0, 0), time.monotonic()
    deaths = redone = alive = restarts = growths = leased = 0
    producers = dict.fromkeys(producer for feed in feeds for producer in feed.producers)
    for producer in producers:
        living, again = producer.whereabouts.count()
        alive, restarts = alive + living, restarts + again
        if (counters := getattr(producer, "counters", None)) is not None:
            deaths, redone = deaths + counters.deaths, redone + counters.redone
    for feed in feeds:
        growths += feed.ring.growths
        leased += feed.leased
    engine = executor.engine_counts
    start, since = times_of(executor)
    counts = (
        *(executor.batches, *executor.handed_out, *failed, deaths, restarts, redone, growths),
        *((0, 0, 0) if engine is None else (engine[name] for name in _ENGINE)),
        *(start.source_s + since.source_s, start.decoder_s + since.decoder_s, start.device_s + since.device_s),
        *(start.dispatch_s + since.dispatch_s, start.next_s + since.next_s),
    )
    return counts, (*count_ahead(executor), alive, leased), time.monotonic()
