"""Start methods, chosen and given; each scenario runs in a program of its own."""

from __future__ import annotations

import contextlib
import ctypes
import json
import logging
import os
import pathlib
import signal
import socket
import sys
import threading
import time
import warnings
from typing import Any

import numpy as np
from process_programs import index, make_pipe, pid, run
from processes import children, is_alive, resources, until

from jaxdali import errors
from jaxdali._dali.planner.feed_setup import choose_start_method
from jaxdali._device.ffi.driver import cuda_is_initialized
from jaxdali._feed import _host
from jaxdali._feed.processes import forks, native_threads
from jaxdali._feed.processes.launch import make_launcher
from jaxdali._feed.processes.messages import MessageReader
from jaxdali._feed.ring.columns import Column
from jaxdali._feed.ring.served_source import ServedSource
from jaxdali._feed.source.source_kinds import CallableSource


def chosen() -> dict:
    """Returns the default start methods and the refused ones, before and after the first use of jax."""
    seen = {"first": choose_start_method(None), "pickler": choose_start_method(None, with_pickler=True)}
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    seen["thread"] = choose_start_method(None)
    stop.set()
    thread.join()
    import jax

    seen["imported"] = choose_start_method(None)
    jax.numpy.zeros(1)
    seen["jax"] = choose_start_method(None)
    seen["wanted"] = [choose_start_method(method) for method in ("spawn", "forkserver")]
    try:
        choose_start_method("fork")
    except errors.StateError as error:
        return {**seen, "refused": str(error)}
    raise AssertionError("forked after jax")


def native(kind: str) -> dict:
    """A pipeline beside a thread that Python knows nothing of, with a source that can be pickled or cannot."""
    from inherited_programs import start_native_thread

    seen: dict = {"before": choose_start_method(None)}
    # Threads that their library ends before a fork: those of NumPy's multiplications.
    threads = len(os.listdir("/proc/self/task"))
    if kind != "only_own":
        start_native_thread()
    lock = threading.Lock()
    source = index if kind == "picklable" else lambda info: lock and index(info)
    given = "fork" if kind == "wanted" else None
    seen["after"] = choose_start_method(given)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", ResourceWarning)
        if kind == "wanted":
            warnings.simplefilter("ignore", DeprecationWarning)  # of newer Pythons, about any fork beside threads
        with make_pipe(source, given) as pipe:
            batch = run(pipe)
            (zygote,) = children()
            # A fork has its parent's command line, a fresh interpreter its own.
            commands = [pathlib.Path(f"/proc/{pid}/cmdline").read_bytes() for pid in (zygote, os.getpid())]
    seen["forked"] = commands[0] == commands[1]
    assert [row[2] for row in batch] == [0, 1, 2, 3]
    seen["warnings"] = [[str(w.message), w.category.__name__, os.path.basename(w.filename)] for w in caught]
    return {**seen, "own": threads}


def without_proc() -> list:
    """Where nobody can count a process's threads, those of Python count."""
    native_threads.THREADS = "/nowhere"
    seen = [choose_start_method(None)]
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    seen.append(choose_start_method(None))
    stop.set()
    thread.join()
    return seen


def cuda(library: str) -> dict:
    """The same with a CUDA driver: not loaded, loaded, and initialised."""
    seen = [cuda_is_initialized()]
    driver = ctypes.CDLL(library)
    seen.append(cuda_is_initialized())
    assert choose_start_method("fork") == choose_start_method(None) == "fork"
    driver.cuInit(0)
    seen.append(cuda_is_initialized())
    try:
        choose_start_method("fork")
    except errors.StateError as error:
        return {"seen": seen, "default": choose_start_method(None), "refused": str(error)}
    raise AssertionError("forked after CUDA")


def _make_served_sources(function):
    ring = _host.Ring.create(slots=2, chunks=1, outputs=1, batch_size=1, capacity=4096, stride=1 << 20)
    return [ServedSource(ring, CallableSource(function, None), [Column(name="data")])]


def _say(connection, type_):
    """Returns the messages up to the first one of a type."""
    reader, seen = MessageReader(connection), []
    until(lambda: (seen.extend(reader.read()), type_ in [m["type"] for m in seen])[1])
    return seen


def relaunch(start_method: str) -> dict:
    """Kills and restarts a worker five times, the last times after jax has started."""
    served_sources = _make_served_sources(index)
    launcher = make_launcher(start_method, served_sources, 2, None)
    connections = [launcher.launch(worker_id) for worker_id in range(2)]
    for connection in connections:
        _say(connection, "ready")
    held, pids, deaths = [], [], []
    for attempt in range(5):
        if attempt == 3:
            import jax

            jax.numpy.zeros(1)
        launcher.wait_for_pids()
        pids.append(launcher.pids[1])
        os.kill(launcher.pids[1], signal.SIGKILL)
        (death,) = until(launcher.deaths)
        deaths.append([death.worker_id, death.pid == pids[-1], death.exit_code, death.final])
        assert 1 not in launcher.pids and 0 in launcher.pids
        connections[1].close()
        connections[1] = launcher.launch(1)
        _say(connections[1], "ready")
        held.append(resources()["descriptors"])
    lost = _lose_zygote(launcher, connections) if start_method == "forkserver" else []
    served_sources[0].ring.close()
    launcher.terminate()
    for connection in connections:
        connection.close()
    return {"deaths": deaths, "different": len(set(pids)), "held": held[1:3], "lost": lost, "left": children()}


def _lose_zygote(launcher: Any, connections: list[socket.socket]) -> list:
    """Kills the process that forks. Asks for deaths after a worker was started, and in a second round before; returns them.
    In both rounds the other workers seem to live on for a moment.
    """
    told: list = []
    for first in (launcher.launch, launcher.deaths):
        launcher.wait_for_pids()
        pids, looks = dict(launcher.pids), []
        forks.is_worker = lambda worker_id, pid, looks=looks: looks.append(pid) or len(looks) < 5
        os.kill(launcher._zygote_pid, signal.SIGKILL)
        until(lambda: launcher.silence(missed=True) or launcher._messages.ended)
        connections[1].close()
        deaths = launcher.deaths() if first == launcher.deaths else []
        assert (len(looks) >= 5) == bool(
            deaths
        )  # nobody learns of a death, and nobody takes its place, before it is one
        connections[1] = launcher.launch(1)
        assert len(looks) >= 5
        _say(connections[1], "ready")
        told.append([[one.worker_id, one.pid == pids[one.worker_id], one.final] for one in deaths or launcher.deaths()])
        connections[0].close()
        connections[0] = launcher.launch(0)
        _say(connections[0], "ready")
    return told


def left_behind(start_method: str) -> dict:
    """Returns the resources that a program holds before and after pipelines of one start method, however they end."""
    import jax.numpy  # noqa: F401  (its own descriptors come first)

    logging.getLogger("jaxdali").setLevel(logging.ERROR)

    def fails(info):
        raise LookupError if info.iteration == 1 else StopIteration

    def use(source, end):
        with make_pipe(source, start_method) as pipe:
            try:
                for _ in range(3):
                    run(pipe)
                    if end == "kill":
                        with contextlib.suppress(ProcessLookupError):  # it is dead already, but not yet noticed
                            os.kill(pipe.worker_pids()[0], signal.SIGKILL)
            except (errors.SourceError, errors.WorkerError, StopIteration) as error:
                return type(error).__name__

    use(index, "")
    before = resources()
    for source, end in ((index, ""), (fails, ""), (index, "kill"), (lambda info: threading, "")):
        use(source, end)
    try:
        make_pipe(_unloadable(), start_method).start_py_workers()
    except errors.ConfigError:
        assert start_method != "fork"
    return {"before": before, "after": resources()}


def _unloadable():
    lock = threading.Lock()
    return lambda info: lock and index(info)


def kept_clean() -> dict:
    """Inspects the process that forks workers while this one uses jax."""
    import jax

    jax.numpy.zeros(1)
    with make_pipe(pid, "forkserver") as pipe:
        seen = sorted({number for _ in range(10) for number in run(pipe)})
        (zygote,) = children()
        return {
            "workers": set(seen) <= set(pipe.worker_pids()),
            "children": sorted(children(zygote)) == sorted(pipe.worker_pids()),
            "jax": "jaxlib" in pathlib.Path(f"/proc/{zygote}/maps").read_text(),
            "streams": [os.readlink(f"/proc/{zygote}/fd/{n}") == os.readlink(f"/proc/self/fd/{n}") for n in (1, 2)],
        }


def threads_on_import(folder: str) -> dict:
    """A source whose module starts a thread when it is imported, so that the process that imported it must not fork."""
    pathlib.Path(folder, "threading_module.py").write_text(
        "import os, threading\n"
        "loaded_in = os.getpid()\n"
        "threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
        "def source(info):\n"
        "    import numpy as np\n"
        "    return np.array([loaded_in, os.getpid(), threading.active_count(), info.idx_in_epoch])\n"
    )
    sys.path.insert(0, folder)
    import threading_module

    with make_pipe(threading_module.source, "forkserver") as pipe:
        rows = [row for _ in range(3) for row in run(pipe)]
        return {"rows": rows, "workers": pipe.worker_pids()}


def slow_import(folder: str) -> dict:
    """A source that takes long to load; neither starting nor closing waits for it."""
    pathlib.Path(folder, "slow_module.py").write_text(
        "import os, time\nif os.environ.get('JAX_PLATFORMS'): time.sleep(60)\ndef source(info): pass\n"
    )
    sys.path.insert(0, folder)
    os.environ.pop("JAX_PLATFORMS", None)
    forks.GRACE_S = 30.0  # but closing must not use it
    import slow_module

    start = time.perf_counter()
    pipe = make_pipe(slow_module.source, "forkserver")
    pipe.start_py_workers()
    started = time.perf_counter()
    (zygote,) = children()
    pipe.close()
    return {"start_s": started - start, "close_s": time.perf_counter() - started, "left": is_alive(zygote)}


def hang_loading(start_method: str, folder: str) -> None:
    """Prints its children's ids, and waits for a source whose module never finishes loading, and holds the GIL."""
    pathlib.Path(folder, "endless_module.py").write_text(
        "import os, pathlib\n"
        "if os.environ.get('JAX_PLATFORMS'):\n"
        f"    pathlib.Path({folder!r}, 'loading').touch()\n"
        "    sum(range(10**13))\n"
        "def source(info): pass\n"
    )
    sys.path.insert(0, folder)
    os.environ.pop("JAX_PLATFORMS", None)
    import endless_module

    pipe = make_pipe(endless_module.source, start_method)
    pipe.start_py_workers()
    until(lambda: pathlib.Path(folder, "loading").exists())
    print(json.dumps(children()), flush=True)
    run(pipe)


def zygote_dies_loading(folder: str) -> str:
    pathlib.Path(folder, "fatal_module.py").write_text(
        "import os\nif os.environ.get('JAX_PLATFORMS'): os._exit(9)\ndef source(info): pass\n"
    )
    sys.path.insert(0, folder)
    os.environ.pop("JAX_PLATFORMS", None)
    import fatal_module

    logging.getLogger("jaxdali").setLevel(logging.ERROR)
    with make_pipe(fatal_module.source, "forkserver") as pipe:
        try:
            run(pipe)
        except errors.WorkerError as error:
            return str(error)
    raise AssertionError("it came to life")


# JAX IN WORKERS


def _caught(source, start_method):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with make_pipe(source, start_method, workers=2) as pipe:
            until(lambda: (run(pipe), caught)[1])
            for _ in range(50):
                run(pipe)
    return [[str(w.message), w.category.__name__, os.path.basename(w.filename)] for w in caught]


def _quiet(source, start_method) -> list:
    """Runs long enough for a warning to arrive, which would be an error."""
    with warnings.catch_warnings(), make_pipe(source, start_method) as pipe:
        warnings.simplefilter("error")
        run(pipe)
        end = time.monotonic() + 0.7
        while time.monotonic() < end:
            run(pipe)
    return []


def drags_jax(start_method: str, folder: str, when: str) -> list:
    """Warnings about a source that imports jax in its module, through a library, in its first call, or not at all."""
    path = pathlib.Path(folder, "user_module.py")
    library = pathlib.Path(folder, "library")
    library.mkdir()
    (library / "__init__.py").write_text("from . import inner\n")
    (library / "inner.py").write_text("from jax import jit\n")
    pathlib.Path(folder, "other_module.py").write_text("from jax import jit\n")
    imports = {"load": "import jax.numpy\nimport other_module\n", "library": "import library\n"}.get(when, "")
    body = "import jax" if when == "call" else "pass"
    path.write_text(
        f"{imports}from process_programs import index\ndef source(info):\n    {body}\n    return index(info)\n"
    )
    sys.path.insert(0, folder)
    import user_module

    return (_quiet if when == "never" else _caught)(user_module.source, start_method)


def refers_to_jax(start_method: str) -> list:
    """Warnings about a source of the main program that refers to jax itself."""
    import jax.numpy

    return _caught(lambda info: jax and index(info), start_method)


def parent_has_jax() -> list:
    """Forks while jax is imported, but not in use."""
    import jax.numpy

    return _quiet(lambda info: jax and index(info), "fork")


def main_names(start_method: str) -> list:
    """Returns the names in a worker's main module, where a pickler may look for the user's names."""

    def source(info):
        import __main__

        names = [name for name in vars(__main__) if not name.startswith("__")]
        return np.frombuffer(json.dumps(names).encode(), np.uint8)

    with make_pipe(source, start_method, batch=1) as pipe:
        return json.loads(bytes(pipe.run()[0].at(0)))
