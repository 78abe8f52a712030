"""A pipeline's first batch in this process: `first_batch_measure.py ROW SYSTEM FOLDER` prints milliseconds as JSON.

ROW is "PIPELINE | START", where START says how the worker that reads files is started; "none": there is no worker.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
import time

SYSTEMS = ("jaxdali", "jaxdali, cached", "DALI")

# Consecutive parts: the interpreter until `main`, `import jax`, the system's import, the definition of a pipeline, the
# start of its worker, `jax.devices()`, and the rest until the first batch. Within the rest: how long jaxdali waited for
# sources, and dispatched device functions; and within that, what jax spent on tracing, lowering and compiling. "CPU" is
# the user and system time of the process and its workers, which other programs on the machine affect least.
PARTS = (
    *("CPU", "interpreter", "jax", "import", "define", "workers", "devices", "first batch"),
    *("source", "dispatch", "trace", "lower", "compile"),
)
_EVENTS = {
    "/jax/core/compile/jaxpr_trace_duration": "trace",
    "/jax/core/compile/jaxpr_to_mlir_module_duration": "lower",
    "/jax/core/compile/backend_compile_duration": "compile",
}
THREADS = 2


def _age_s() -> float:
    """Seconds since this process was started, to 10 ms."""
    started = pathlib.Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
    return time.clock_gettime(time.CLOCK_BOOTTIME) - int(started) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    row, system, folder = sys.argv[1:]
    name, start = row.split(" | ")
    took = {"interpreter": _age_s()}
    last = time.perf_counter()

    def passed(part: str) -> None:
        nonlocal last
        now = time.perf_counter()
        took[part], last = now - last, now

    import jax

    if system == "jaxdali, cached":
        jax.config.update("jax_compilation_cache_dir", str(pathlib.Path(folder, "programs")))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    compiled = dict.fromkeys(_EVENTS.values(), 0.0)

    def note(event: str, seconds: float, **_: object) -> None:
        if event in _EVENTS:
            compiled[_EVENTS[event]] += seconds

    jax.monitoring.register_event_duration_secs_listener(note)
    passed("jax")
    if system == "DALI":
        import nvidia.dali as module
        from nvidia.dali.plugin.jax import DALIGenericIterator
    else:
        import jaxdali as module
        from jaxdali.plugin.jax import DALIGenericIterator
    passed("import")
    from photographs import file_names
    from pipelines import DEFINITIONS, Task, open_pipeline
    from processes import cpu_s, descendants, end

    names = file_names(str(pathlib.Path(folder, "files")))
    passed("")  # not counted for the system
    workers = 0 if start == "none" else 1
    task = Task(names, "callback", workers, THREADS, start="spawn" if start == "none" else start)
    pipe, outputs = open_pipeline(module, DEFINITIONS[name], task)
    passed("define")
    if workers:
        pipe.start_py_workers()
    passed("workers")
    jax.devices()
    passed("devices")
    batch = next(iter(DALIGenericIterator(pipe, outputs)))
    jax.block_until_ready(list(batch.values()))
    passed("first batch")
    del took[""]
    numbers = {**took, "whole": sum(took.values()), **compiled, "CPU": cpu_s(descendants())}
    if system != "DALI":
        waits = pipe.stats().start
        numbers |= {"source": waits.source_s, "dispatch": waits.dispatch_s}
    print(json.dumps({part: 1e3 * seconds for part, seconds in numbers.items()}), flush=True)
    # Not every system ends its processes if its stream is abandoned.
    end(descendants())
    os._exit(0)


if __name__ == "__main__":
    main()
