"""Metrics: what happened since the last time somebody asked, as a flat dict of numbers for dashboards."""

from __future__ import annotations

import time
from collections.abc import Sequence

from jaxdali._base.batch import Status
from jaxdali._feed.ring.feed import Feed
from .decode_failures import DecodeFailures
from .prefetch import Executor

__all__ = ["Metrics"]

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


class Metrics:
    """Makes the metrics of one pipeline or Loader: counts are those since the last call."""

    def __init__(self) -> None:
        self._before: tuple[float, ...] = (0,) * len(_COUNTS)
        self._at: float | None = None
        self._final: tuple[tuple[float, ...], tuple[int, ...], float] | None = None

    def read(self, executor: Executor | None, failures: DecodeFailures, feeds: Sequence[Feed]) -> dict[str, float]:
        """Returns the metrics. Any thread may call it."""
        counts, levels, now = self._final or _look(executor, failures, feeds)
        before, self._before = self._before, counts
        # An executor that was made anew counts from zero.
        since: dict[str, float] = {
            name: new - old if new >= old else new for name, new, old in zip(_COUNTS, counts, before, strict=True)
        }
        began = self._at
        if began is None:
            began = now if executor is None else executor.asked_at or now
        self._at = now
        seconds = now - began
        per_s = 1 / seconds if seconds > 0 else 0.0
        waited = since["wait_source_s"] + since["wait_decoder_s"] + since["wait_device_s"]
        return {
            "seconds": seconds,
            "samples_per_s": since["samples"] * per_s,
            "batches_per_s": since["batches"] * per_s,
            "bytes_per_s": since["bytes"] * per_s,
            "waiting": waited * per_s,
            **since,
            "failed_images": sum([since[name] for name in _FAILED.values()]),
            **dict(zip(_LEVELS, levels, strict=True)),
        }

    def close(self, executor: Executor | None, failures: DecodeFailures, feeds: Sequence[Feed]) -> None:
        """Keeps what was counted until now: the parts that count are about to end."""
        if self._final is None:
            counts, _, now = _look(executor, failures, feeds)
            if self._at is None and executor is not None:
                self._at = executor.asked_at or now
            self._final = counts, (0, 0, 0, 0), now


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
    start, since = executor.times
    counts = (
        *(executor.batches, *executor.handed_out, *failed, deaths, restarts, redone, growths),
        *((0, 0, 0) if engine is None else (engine[name] for name in _ENGINE)),
        *(start.source_s + since.source_s, start.decoder_s + since.decoder_s, start.device_s + since.device_s),
        *(start.dispatch_s + since.dispatch_s, start.next_s + since.next_s),
    )
    return counts, (*executor.count_ahead(), alive, leased), time.monotonic()
