"""Measures what a Loader or a Pipeline delivers per second, and what that costs."""

from __future__ import annotations

import dataclasses
import statistics
import time
from typing import Any, Protocol

from .numbers import bytes_text
from .process_usage import cpu_s_since, cpu_times, descendants, memory

__all__ = ["Batches", "Measured", "measure"]

_WAITS = ("source", "decoder", "device", "dispatch")
# A fraction of the time; the same as in the statistics' own advice.
_BOUND = 0.05
# During the first batches, programs are compiled and the ring finds its size.
_WARM_UP = 4
_OWN_WORK = (
    "nothing is waited for: the time goes into this thread's own work, dispatching and handing out batches; larger "
    "batches, or fewer leaves and outputs, reduce it"
)


class Batches(Protocol):
    """A source of batches to measure."""

    def next(self) -> Any:
        """Returns the next batch, computed. After the last one it starts again from the first."""

    def stats(self) -> Any:
        """Returns the `Statistics` so far."""


@dataclasses.dataclass(frozen=True)
class Measured:
    """Measurements after the first batches, over all rounds.

    Attributes:
        rounds: samples/s of each.
        first_batch_s: from the request for it until it was computed.
        waited: the fraction of the time in which the consumer, which does nothing else, waited for sources, decoders
            and the device, and in which its thread dispatched device functions.
        cpu_us: microseconds of CPU time per sample, of this process and its workers.
        memory: bytes of both, the largest value at the end of a round.
        processes: the number of processes that this one started.
        device: the device or devices of the batches.
        output: name, dtype and shape of each leaf of a batch.
        failed: images that could not be decoded, including those of the first batches.
        advice: what would make it faster.
    """

    rounds: list[float]
    first_batch_s: float
    waited: dict[str, float]
    cpu_us: float
    memory: int
    processes: int
    device: str
    output: str
    failed: dict[str, int]
    advice: str

    @property
    def median(self) -> float:
        return statistics.median(self.rounds)

    def numbers(self, unit: str) -> dict[str, Any]:
        """Returns the numbers for `--json`; `unit` names what is counted, such as "images"."""
        return {
            "device": self.device,
            "output": self.output,
            f"{unit}_per_s": self.median,
            "smallest": min(self.rounds),
            "largest": max(self.rounds),
            "rounds": self.rounds,
            "first_batch_s": self.first_batch_s,
            "waited": self.waited,
            "cpu_us": self.cpu_us,
            "memory": self.memory,
            "processes": self.processes,
            "advice": self.advice,
        }

    def rows(self, unit: str) -> list[tuple[str, str]]:
        """Returns the rows of the table."""
        rounds = len(self.rounds)
        extremes = f" ({min(self.rounds):.0f} to {max(self.rounds):.0f})" if rounds > 1 else ""
        waited = ", ".join(f"{name} {share:.0%}" for name, share in self.waited.items())
        return [
            ("device", self.device),
            ("output", self.output),
            (f"{unit}/s", f"{self.median:.0f}{extremes}, median of {rounds} rounds"),
            ("waited for", f"{waited} of the time"),
            ("first batch", f"after {self.first_batch_s:.2f} s"),
            ("CPU time", f"{self.cpu_us:.0f} us of each of the {unit}"),
            ("memory", f"{bytes_text(self.memory)}, of this process and {self.processes} that it started"),
            ("advice", self.advice),
        ]


def measure(batches: Batches, rounds: int, seconds: float) -> Measured:
    """Takes batches in `rounds` rounds of `seconds` each, at least one batch per round."""
    began = time.perf_counter()
    batch = batches.next()
    first_batch_s = time.perf_counter() - began
    device, output = _devices(batch), _described(batch)
    del batch  # keeping a batch would make later ones be copied
    for _ in range(_WARM_UP - 1):
        batches.next()
    before, used = batches.stats(), cpu_times()
    rates, most = [], 0
    for _ in range(rounds):
        began, samples, passed = time.perf_counter(), batches.stats().samples, 0.0
        while not passed or passed < seconds:
            batches.next()
            passed = time.perf_counter() - began
        rates.append((batches.stats().samples - samples) / passed)
        most = max(most, memory())
    after, cpu_s = batches.stats(), cpu_s_since(used)
    counted = _between(before, after)
    waited = {name: getattr(counted.waits, f"{name}_s") / counted.waits.seconds for name in _WAITS}
    return Measured(
        rounds=rates,
        first_batch_s=first_batch_s,
        waited=waited,
        cpu_us=cpu_s * 1e6 / counted.samples,
        memory=most,
        processes=len(descendants()),
        device=device,
        output=output,
        failed=after.images_failed,
        advice=counted.advice if sum(waited.values()) - waited["dispatch"] >= _BOUND else _OWN_WORK,
    )


def _between(before: Any, after: Any) -> Any:
    """Returns the statistics of the time between two."""
    waits = {
        field.name: getattr(after.waits, field.name) - getattr(before.waits, field.name)
        for field in dataclasses.fields(after.waits)
    }
    return dataclasses.replace(
        after,
        batches=after.batches - before.batches,
        samples=after.samples - before.samples,
        waits=dataclasses.replace(after.waits, **waits),
    )


def _devices(batch: object) -> str:
    import jax

    found = {device for leaf in jax.tree.leaves(batch) if isinstance(leaf, jax.Array) for device in leaf.devices()}
    kinds = ", ".join(sorted({f"{device.device_kind} ({device.platform})" for device in found}))
    return f"{len(found)} times {kinds}" if len(found) > 1 else kinds or "none: what is read stays on the host"


def _described(batch: object) -> str:
    import jax
    import numpy as np

    return ", ".join(
        f"{jax.tree_util.keystr(path, simple=True, separator='/')} {leaf.dtype}{list(leaf.shape)}".lstrip()
        for path, leaf in jax.tree_util.tree_leaves_with_path(batch)
        if isinstance(leaf, jax.Array | np.ndarray)
    )
