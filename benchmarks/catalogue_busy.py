"""How long a pipeline keeps a GPU busy, by JAX's profiler, which sees the GPU work of every library in the process."""

from __future__ import annotations

import pathlib
import tempfile
import time
from collections.abc import Callable, Sequence

import numpy as np

__all__ = ["busy_s", "parts_of"]

# Pause between two sections: longer than a GPU waits within one.
APART_S = 0.04


def busy_s(sections: Sequence[Callable[[], object]]) -> list[float]:
    """Seconds of each section in which at least one GPU stream was busy. A section must wait for what it started.

    Raises:
        RuntimeError: the profiler saw no GPU, or cannot tell the sections apart.
    """
    import jax

    options = jax.profiler.ProfileOptions()
    options.python_tracer_level = options.host_tracer_level = 0
    options.enable_hlo_proto = False
    with tempfile.TemporaryDirectory() as folder:
        jax.profiler.start_trace(folder, profiler_options=options)
        try:
            for section in sections:
                time.sleep(APART_S)
                section()
        finally:
            jax.profiler.stop_trace()
        (path,) = pathlib.Path(folder).rglob("*.xplane.pb")
        profile = jax.profiler.ProfileData.from_file(str(path))
        spans = [
            (event.start_ns, event.start_ns + event.duration_ns)
            for plane in profile.planes
            if plane.name.startswith("/device:GPU")
            for line in plane.lines
            if line.name.startswith("Stream")
            for event in line.events
        ]
    return parts_of(np.array(spans, np.float64).reshape(-1, 2) / 1e9, len(sections))


def parts_of(spans: np.ndarray, count: int) -> list[float]:
    """Cuts [n, begin and end], in seconds, into parts at the longest gaps, and returns the covered time of each part.

    Raises:
        RuntimeError: there are fewer parts.
    """
    if not len(spans):
        raise RuntimeError("the profiler saw nothing on a GPU")
    spans = spans[np.argsort(spans[:, 0])]
    ends = np.maximum.accumulate(spans[:, 1])
    covered = ends - np.maximum(spans[:, 0], np.concatenate([spans[:1, 0], ends[:-1]]))
    waits = spans[1:, 0] - ends[:-1]
    cuts = np.sort(np.argsort(waits)[len(waits) - count + 1 :]) + 1
    if len(cuts) < count - 1 or (waits[cuts - 1] < APART_S / 2).any():
        raise RuntimeError(f"the profiler saw fewer than {count} parts on the GPU")
    return [float(part.sum()) for part in np.split(covered.clip(0), cuts)]
