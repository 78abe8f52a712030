"""The rows of the table: what is measured, for which systems, and in which unit."""

from __future__ import annotations

import dataclasses

from dataset import Rows

__all__ = ["IMAGES", "MODULES", "ROWS", "SMALL", "Row"]

SMALL = Rows(65521, (1024,))
IMAGES = Rows(521, (224, 224, 3))

# The systems, and the module that each needs.
MODULES = {
    "jaxdali": "jaxdali",
    "Loader": "jaxdali",
    "DALI": "nvidia.dali",
    "torch": "torch",
    "grain": "grain",
    "SPDL": "spdl",
    "SPDL threads": "spdl",
}
_PIPELINES = ("jaxdali", "DALI", "torch", "grain", "SPDL", "SPDL threads")
# Grain only spawns its workers, the Loader only uses fresh interpreters; DALI has no forkserver.
_FORKING = ("jaxdali", "DALI", "torch", "SPDL")
_STARTED = ("jaxdali", "Loader", "DALI", "torch", "grain", "SPDL")
_SCALED = ("jaxdali", "DALI", "SPDL")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Row:
    """One workload.

    Attributes:
        kind: "stream": samples (or batches) per second, and CPU time of each. "start": seconds to the first batch,
            and to close.
        systems: that take part.
        unit: of the number in the table.
        rows: the data.
        batch: samples per batch.
        to_jax: batches are `jax.Array`s, not NumPy arrays.
        whole: the source returns whole batches.
        pieces: see `Samples`.
        work_s: Python time per sample, in the worker.
        step_s: time that the consumer works on a batch.
        start: how workers are started, if the system has a choice.
        ideal: theoretical maximum of samples per second; the number is given in percent of it.
        seconds: length of the timed window, if it is not the usual one.
    """

    systems: tuple[str, ...] = _PIPELINES
    kind: str = "stream"
    unit: str = "samples/s"
    rows: Rows = SMALL
    batch: int = 256
    to_jax: bool = False
    whole: bool = False
    pieces: int | None = None
    work_s: float = 0.0
    step_s: float = 0.0
    workers: int = 2
    depth: int = 2
    start: str = "fork"
    ideal: float | None = None
    seconds: float | None = None


_JAX = dataclasses.replace(Row(systems=(*_PIPELINES[:1], "Loader", *_PIPELINES[1:])), to_jax=True, start="spawn")

ROWS: dict[str, Row] = {
    "1 KiB, to host": Row(),
    "1 KiB, to jax.Array": _JAX,
    "224x224x3, to host": Row(rows=IMAGES, batch=64),
    "224x224x3, to jax.Array": dataclasses.replace(_JAX, rows=IMAGES, batch=64),
    "batch mode, transport": Row(whole=True, depth=4),
    "batch mode, 5 ms a step": Row(
        whole=True, depth=4, step_s=0.005, ideal=256 / 0.005, unit="% of the ideal", seconds=2.0
    ),
    "5 ms of Python a sample": Row(batch=16, work_s=0.005, ideal=2 / 0.005, unit="% of the ideal", seconds=2.0),
    "start, spawn": Row(kind="start", start="spawn", unit="s", systems=_STARTED),
    "start, fork": Row(kind="start", unit="s", systems=_FORKING),
    "start, forkserver": Row(kind="start", start="forkserver", unit="s", systems=("jaxdali", "torch", "SPDL")),
    **{f"1 KiB in {n} output{'s' * (n > 1)}": Row(pieces=n, systems=_SCALED) for n in (1, 2, 8)},
    **{f"1 KiB, {n} worker{'s' * (n > 1)}": Row(workers=n, systems=_SCALED) for n in (1, 2, 4, 8)},
}
