"""The tables of `scale.py`, and what they say of a thousand hosts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["at", "exponent", "print_tables", "series"]

# For which the tables multiply: processes, samples, shards; and what an ordinary store answers, in requests a second for
# each prefix, and in seconds.
PROCESSES, SAMPLES, SHARDS = 1000, 10**9, 10**5
STORE_PER_S, STORE_S, AT_ONCE = 5500, 0.02, 100


def series(results: Mapping[str, Any], how: str, number: Callable[[Any], float]) -> dict[int, float]:
    """Returns a number of each run, by its processes.

    Args:
        how: "apart" or "agree".
    """
    rows = ((name.split(), row) for name, row in results["processes"].items())
    return {int(processes): number(row) for (processes, kind), row in rows if kind == how and int(processes) > 1}


def exponent(points: Mapping[int, float]) -> float:
    """Returns with which power of the processes a number grows, from the two largest runs."""
    (a, x), (b, y) = sorted(points.items())[-2:]
    return math.log(y / x) / math.log(b / a) if x > 0 and y > 0 else 0.0


def at(points: Mapping[int, float], processes: int) -> float:
    """Returns a number at so many processes, if it goes on as between the two largest runs."""
    most = max(points)
    return points[most] * (processes / most) ** exponent(points)


def print_tables(results: Mapping[str, Any], before: Mapping[str, Any] | None) -> None:
    """Prints all tables; of those that were mended, the numbers before as well."""
    _processes(results)
    _lengths(results)
    _data(results, before)
    _latency(results, before)
    if results["real"]:
        _real(results)
    _paper(results, before)


def _row(*cells: object) -> None:
    print(f"| {' | '.join(map(str, cells))} |")


def _head(title: str, *cells: str) -> None:
    print(f"\n{title}\n")
    _row(*cells)
    _row(*("---" for _ in cells))


def _short(number: float) -> str:
    for size, unit in ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(number) >= size:
            return f"{number / size:.3g}{unit}"
    return f"{number:.3g}"


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.3g}"


def _processes(results: Mapping[str, Any]) -> None:
    _head(
        "A process of P: CPU ms, bytes that it keeps, and what all P ask of the service",
        *("P", "agree", "start", "step", "seek", "end of an epoch", "resume on P/2", "kept, kB", "state, bytes"),
        *("start: calls", "bytes to P", "a step: calls", "one lost: s until all know"),
    )
    for name, row in results["processes"].items():
        (processes, how), spent, asked = name.split(), row["seconds"], row["asked"]
        lost = row.get("lost")
        _row(
            *(processes, "yes" if how == "agree" else "no", _ms(spent["start"]), _ms(spent["step"])),
            *(_ms(spent["seek"]), _ms(spent["epoch"]), _ms(row["resume"]) if "resume" in row else ""),
            *(f"{row['kept'] / 1e3:.0f}", row["state_bytes"]),
            *(f"{asked['start']['calls']:.0f}", _short(asked["start"]["received"])),
            *(f"{asked['steps']['calls']:.0f}", "" if lost is None else f"{lost['seconds']:.2f}"),
        )


def _lengths(results: Mapping[str, Any]) -> None:
    _head(
        "A process of 8, by samples whose places need not be known: CPU ms, and bytes that it keeps",
        *("samples", "start", "step", "seek", "end of an epoch", "kept, kB"),
    )
    for length, row in results["lengths"].items():
        _row(
            *(_short(int(length)), _ms(row["start"]), _ms(row["step"]), _ms(row["seek"]), _ms(row["epoch"])),
            f"{row['kept'] / 1e3:.0f}",
        )


def _data(results: Mapping[str, Any], before: Mapping[str, Any] | None) -> None:
    _head(
        "To know where samples are, in one process" + " (before, after)" * (before is not None),
        *("data", "samples", "shards", "requests", "CPU us a sample", "kept, B a sample", "peak, B a sample"),
        *("a worker's own, B a sample",),
    )
    for name, row in results["data"].items():
        kind, _, shards = name.split()
        rows = [row] if before is None else [before["data"][name], row]
        cells = [
            [_short(one["requests"]) for one in rows],
            [f"{one['cpu_s'] / one['samples'] * 1e6:.2f}" for one in rows],
            *([f"{one[what] / one['samples']:.0f}" for one in rows] for what in ("kept", "peak", "private")),
        ]
        _row(kind, _short(row["samples"]), _short(int(shards)), *(", ".join(cell) for cell in cells))


def _latency(results: Mapping[str, Any], before: Mapping[str, Any] | None) -> None:
    _head(
        "Seconds until a process knows where samples are, from a store that answers after 5 ms"
        + " (before, after)" * (before is not None),
        *("data", "shards", "s"),
    )
    for name, seconds in results["latency"].items():
        both = [seconds] if before is None else [before["latency"][name], seconds]
        _row(*name.split(), ", ".join(f"{one:.2f}" for one in both))


def _real(results: Mapping[str, Any]) -> None:
    _head(
        "Real processes of jax.distributed, whose samples, states and calls were those of simulated ones",
        *(
            "P",
            "agree",
            "steps compared",
            "calls at the start",
            "bytes to P, real",
            "simulated",
            "calls/s of the service",
        ),
    )
    for name, row in results["real"].items():
        processes, how = name.split()
        start = row["real_start"]
        _row(
            *(processes, "yes" if how == "agree" else "no", row["checked_steps"], f"{start['calls']:.0f}"),
            *(_short(start["received"]), _short(row["simulated_start"]["received"]), f"{row['calls_per_s']:.0f}"),
        )


def paper(results: Mapping[str, Any]) -> dict[str, float]:
    """Returns what a run of 1,000 processes would need, with 10^9 samples in 10^5 shards of TFRecord files."""
    data = results["data"]
    rows = {kind: row for name, row in data.items() for kind, _, shards in [name.split()] if int(shards) == _most(data)}
    first = rows["TFRecords"]
    shards = _most(data)
    received = series(results, "apart", lambda row: row["asked"]["start"]["received"])
    calls = series(results, "agree", lambda row: row["asked"]["steps"]["calls"])
    waited = {name: seconds for name, seconds in results["latency"].items() if name.startswith("TFRecords")}
    largest = max(waited, key=lambda name: int(name.split()[1]))
    fewest = min(int(name.split()[2]) for name in data)
    thin = data[next(name for name in data if name.startswith("TFRecords") and int(name.split()[2]) == fewest)]
    return {
        "bytes from the service at the start": at(received, PROCESSES),
        "calls of the service for a step, agree=True": at(calls, PROCESSES),
        "requests to the store at the start, of all": first["requests"] / shards * SHARDS * PROCESSES,
        "s that a store of 5,500 requests/s needs for them": first["requests"]
        / shards
        * SHARDS
        * PROCESSES
        / STORE_PER_S,
        "s that one process waits, at 20 ms": waited[largest] / int(largest.split()[1]) * SHARDS * STORE_S / 0.005,
        "CPU s of a process to know 10^9 records": thin["cpu_s"] / thin["samples"] * SAMPLES,
        "GB of a process for 10^9 records": thin["kept"] / thin["samples"] * SAMPLES / 1e9,
        "GB of a process for 10^9 files": rows["ImageFolder"]["kept"] / rows["ImageFolder"]["samples"] * SAMPLES / 1e9,
        "GB of each worker for 10^9 files": rows["ImageFolder"]["private"]
        / rows["ImageFolder"]["samples"]
        * SAMPLES
        / 1e9,
    }


def _most(data: Mapping[str, Any]) -> int:
    return max(int(name.split()[2]) for name in data)


def _paper(results: Mapping[str, Any], before: Mapping[str, Any] | None) -> None:
    now = paper(results)
    was = None if before is None else paper(before)
    _head(
        f"{PROCESSES:,} processes, 10^9 samples in 10^5 shards, on paper",
        *(("what", "before", "after") if was else ("what", "now")),
    )
    for what, number in now.items():
        _row(what, *([_short(was[what])] if was else []), _short(number))
