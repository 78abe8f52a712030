"""Start methods that are chosen beside native threads; each scenario runs in a program of its own."""

from __future__ import annotations

import importlib.util
import pathlib
import sys
import threading
import time
import types
import warnings

from inherited_programs import start_native_thread
from process_programs import index, make_pipe, run

from jaxdali import errors
from jaxdali._dali.planner.feed_setup import choose_start_method
from jaxdali._feed.processes import native_threads


def fresh(folder: str) -> dict:
    """Pipelines beside a thread that Python knows nothing of, whose sources are pickled, and one that fails there."""
    path = pathlib.Path(folder, "only_here.py")
    path.write_text("from process_programs import index\ndef source(info):\n    return index(info)\n")
    spec = importlib.util.spec_from_file_location("only_here", path)
    only_here = sys.modules["only_here"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(only_here)
    start_native_thread()
    texts, methods = [], []
    lock = threading.Lock()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", FutureWarning)
        for source, given in [(index, "forkserver"), (index, None), (index, None), (lambda info: lock, None)]:
            with make_pipe(source, given) as pipe:
                pipe.start_py_workers()
                methods.append(pipe._jaxdali_session.feeds[0].producer.start_method)
            texts.append(len(caught))
        for given in (None, "forkserver"):
            try:
                with make_pipe(only_here.source, given) as pipe:
                    run(pipe)
            except errors.SourceError as error:
                texts.append(str(error))
    return {"methods": methods, "warned": texts[:4], "errors": texts[4:]}


def joined() -> list:
    """Returns how often each start method was chosen right after threads of Python were joined."""
    native_threads._LEAVES_S = 10.0  # however busy the machine is
    seen = []
    for _ in range(200):
        threads = [threading.Thread(target=int) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seen.append(choose_start_method(None))
    return sorted(set(seen))


def looks() -> dict:
    """Returns how often a process looks at its threads: alone, beside a thread of Python's, and beside a library's."""
    native_threads._LEAVES_S = 0.2
    seen = {}

    def count(name: str) -> None:
        slept = []
        native_threads.time = types.SimpleNamespace(
            monotonic=time.monotonic, sleep=lambda s: (slept.append(s), time.sleep(s))
        )
        seen[name] = [native_threads.lost_threads(), len(slept) > 0]

    count("alone")
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    count("python")
    start_native_thread()
    count("library")
    stop.set()
    thread.join()
    return seen
