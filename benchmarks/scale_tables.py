"""The tables of `scale.py`, and what they say of a thousand hosts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["at", "exponent", "of_each_sample", "print_tables", "series"]

# For which the tables multiply: processes, samples, shards; and requests that S3 answers in a second, for a prefix.
PROCESSES, SAMPLES, SHARDS = 1000, 10**9, 10**5
STORE_PER_S = 5500


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
    _processes(results, before)
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


def _processes(results: Mapping[str, Any], before: Mapping[str, Any] | None) -> None:
    _head(
        "A process of P: CPU ms, bytes that it keeps, and what all P ask of the service",
        *("P", "agree", "start", "step", "seek", "end of an epoch", "resume on P/2", "kept, kB", "state, bytes"),
        *(
            "start: calls",
            "bytes to P" + " (before, after)" * (before is not None),
            "a step: calls",
            "one lost: s until all know",
        ),
    )
    for name, row in results["processes"].items():
        (processes, how), spent, asked = name.split(), row["seconds"], row["asked"]
        lost = row.get("lost")
        runs = [before["processes"][name], row] if before and name in before["processes"] else [row]
        _row(
            *(processes, "yes" if how == "agree" else "no", _ms(spent["start"]), _ms(spent["step"])),
            *(_ms(spent["seek"]), _ms(spent["epoch"]), _ms(row["resume"]) if "resume" in row else ""),
            *(f"{row['kept'] / 1e3:.0f}", row["state_bytes"]),
            *(f"{asked['start']['calls']:.0f}", ", ".join(_short(one["asked"]["start"]["received"]) for one in runs)),
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
            *([_byte(one, what) for one in rows if what in one] for what in ("kept", "peak", "private")),
        ]
        _row(kind, _short(row["samples"]), _short(int(shards)), *(", ".join(cell) for cell in cells))


def _byte(row: Mapping[str, float], what: str) -> str:
    return f"{row[what] / row['samples']:.0f}"


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
    received = series(results, "apart", lambda row: row["asked"]["start"]["received"])
    calls = series(results, "agree", lambda row: row["asked"]["steps"]["calls"])
    shards = max(_shards(results, "TFRecords"))
    requests = _row_of(results, "TFRecords", shards)["requests"] / shards * SHARDS
    waited = {int(name.split()[1]): seconds for name, seconds in results["latency"].items() if name[0] == "T"}
    return {
        "GB from the service to all, at the start": at(received, PROCESSES) / 1e9,
        "calls of the service by all, for a step with agree=True": at(calls, PROCESSES),
        "requests to the store by all, at the start": requests * PROCESSES,
        "h that a store of 5,500 requests/s needs for them": requests * PROCESSES / STORE_PER_S / 3600,
        "s until a process has 10^5 indices, at 5 ms": waited[max(waited)] / max(waited) * SHARDS,
        "CPU s of a process to know 10^9 records": of_each_sample(results, "TFRecords", "cpu_s") * SAMPLES,
        "the same of archives (WebDataset)": of_each_sample(results, "WebDataset", "cpu_s") * SAMPLES,
        "GB of a process for 10^9 records": of_each_sample(results, "TFRecords", "kept") * SAMPLES / 1e9,
        "GB of a process for 10^9 files": of_each_sample(results, "ImageFolder", "kept") * SAMPLES / 1e9,
        "GB of each worker for 10^9 files": of_each_sample(results, "ImageFolder", "private") * SAMPLES / 1e9,
    }


def _shards(results: Mapping[str, Any], kind: str) -> set[int]:
    return {int(name.split()[2]) for name in results["data"] if name.split()[0] == kind}


def _row_of(results: Mapping[str, Any], kind: str, shards: int) -> Any:
    found = (row for name, row in results["data"].items() if name.split()[::2] == [kind, str(shards)])
    return next(found)


def of_each_sample(results: Mapping[str, Any], kind: str, what: str) -> float:
    """Returns a number for each sample, of as few shards as there are."""
    row = _row_of(results, kind, min(_shards(results, kind)))
    return row[what] / row["samples"]


def _paper(results: Mapping[str, Any], before: Mapping[str, Any] | None) -> None:
    now = paper(results)
    was = None if before is None else paper(before)
    _head(
        f"{PROCESSES:,} processes, 10^9 samples in 10^5 shards, on paper",
        *(("what", "before", "after") if was else ("what", "now")),
    )
    for what, number in now.items():
        _row(what, *([_short(was[what])] if was else []), _short(number))
