"""Several processes of one JAX program, as threads of this one: each has a Loader, and all share a service in memory. What
takes minutes with real processes, such as hundreds of histories with delays, takes seconds here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from jaxdali import Loader
from jaxdali._loader.together import AgreeOnSteps, EndTogether
from jaxdali._run.multihost import service, shared_end, step_outcomes
from jaxdali._run.multihost.agreement import Peers
from jaxdali._run.multihost.service import Service

# A history that has not come to its end by then waits for ever.
STUCK_S = 30.0
STEPS, BATCH = 10, 2  # of an epoch

# Called before each call of the service, with the process, the name of the call, and the key.
Delay = Callable[[int, str, str], None]


def no_delay(process: int, name: str, key: str) -> None:
    """Everything comes at once."""


class Memory:
    """What the service of `jax.distributed` keeps."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.changed = threading.Condition()


class MemoryClient:
    """One process's connection with it, under the names of `DistributedRuntimeClient`."""

    def __init__(self, memory: Memory, process: int, delay: Delay):
        self._memory, self._process, self._delay = memory, process, delay

    def key_value_set(self, key: str, value: str, allow_overwrite: bool = False) -> None:
        self._delay(self._process, "set", key)
        with self._memory.changed:
            assert allow_overwrite or key not in self._memory.texts, key
            self._memory.texts[key] = value
            self._memory.changed.notify_all()

    def key_value_increment(self, key: str, by: int) -> int:
        self._delay(self._process, "increment", key)
        with self._memory.changed:
            value = int(self._memory.texts.get(key, "0")) + by
            self._memory.texts[key] = str(value)
            return value

    def key_value_dir_get(self, key: str) -> list[tuple[str, str]]:
        self._delay(self._process, "dir_get", key)
        with self._memory.changed:
            return [(name, text) for name, text in self._memory.texts.items() if name.startswith(key)]

    def key_value_delete(self, key: str) -> None:
        self._delay(self._process, "delete", key)
        with self._memory.changed:
            for name in [name for name in self._memory.texts if name.startswith(key)]:
                del self._memory.texts[name]

    def blocking_key_value_get(self, key: str, wait_ms: int) -> str:
        self._delay(self._process, "get", key)
        with self._memory.changed:
            if not self._memory.changed.wait_for(lambda: key in self._memory.texts, wait_ms / 1000):
                raise jax.errors.JaxRuntimeError("DEADLINE_EXCEEDED: nobody has set it")
            return self._memory.texts[key]


def be_quick(monkeypatch: Any) -> None:
    """Makes everything ask more often than among real processes, and nothing end this one."""
    monkeypatch.setattr(service, "_SHORTEST_MS", 5)
    monkeypatch.setattr(service, "_LONGEST_MS", 20)
    monkeypatch.setattr(shared_end, "_POLL_S", 0.02)
    monkeypatch.setattr(step_outcomes, "_POLL_S", 0.02)
    monkeypatch.setattr(shared_end, "_leave", lambda failure: None)


class Rows:
    """Samples that are their own numbers; some cannot be read.

    Args:
        bad: by number, "raises", "ragged", or "interrupt": only the first time.
        pause: called before each sample is read.
    """

    def __init__(self, bad: dict[int, str] | None = None, pause: Callable[[], object] = lambda: None):
        self.bad, self.pause = dict(bad or {}), pause

    def __len__(self) -> int:
        return STEPS * BATCH

    def __getitem__(self, index: int) -> Any:
        self.pause()
        how = self.bad.get(index)
        if how == "raises":
            raise ValueError("broken sample")
        if how == "interrupt":
            del self.bad[index]
            raise KeyboardInterrupt
        return {"n": np.full(2 if how == "ragged" else 1, index, np.int32)}


class Place:
    """One of the processes.

    Attributes:
        loader: its Loader.
        found: what came: steps, "end", and what was raised, as (name, step of the Loader, words).
    """

    def __init__(self, process: int, loader: Loader):
        self.process, self.loader = process, loader
        self.found: list[Any] = []

    def take(self, count: int) -> None:
        """Calls `next`, and notes what comes of it. Calls it again if it was interrupted."""
        for _ in range(count):
            try:
                step, batch = self._next()
            except StopIteration:
                self.found.append("end")
            except Exception as error:
                self._note(error)
            else:
                assert np.asarray(batch["n"]).ravel()[0] == step * BATCH % (STEPS * BATCH)
                self.found.append(step)

    def _next(self) -> Any:
        while True:
            try:
                return self.loader._step_runner.next()
            except KeyboardInterrupt:
                pass

    def until(self, words: str, pause_s: float = 0.01) -> None:
        """Calls `next` until it raises an error with these words; the test fails if that takes some seconds."""
        for _ in range(500):
            self.take(1)
            if isinstance(self.found[-1], tuple) and words in self.found[-1][2]:
                return
            time.sleep(pause_s)
        raise AssertionError(f"no error says {words!r}: {self.found}")

    def seek(self, step: int) -> None:
        self._or_note(lambda: self.loader.seek(step))

    def epoch(self, number: int, steps: int) -> None:
        """Takes some steps of an epoch, which may fail."""
        self._or_note(lambda: self.loader.epoch(number))
        for _ in range(steps):
            if self.loader.step < (number + 1) * STEPS:
                self.take(1)

    def _or_note(self, work: Callable[[], object]) -> None:
        try:
            work()
        except Exception as error:
            self._note(error)

    def _note(self, error: Exception) -> None:
        self.found.append((type(error).__name__, self.loader.step, str(error)))


History = Callable[[Place], object]


def run(
    histories: Sequence[History], data: Sequence[Any], agree: bool, delay: Delay = no_delay, **options: Any
) -> list[list[Any]]:
    """Runs a history in each process. Returns what came in each of them.

    Raises:
        AssertionError: one of them waits for ever, or its history raised.
    """
    memory, processes = Memory(), len(histories)
    places, wrong = [], []
    for process, rows in enumerate(data):
        loader = Loader(rows, batch_size=BATCH, workers=0, **{"epochs": 2, **options})
        connected = Service.__new__(Service)
        connected.process, connected.processes = process, processes
        connected._client = MemoryClient(memory, process, delay)
        peers = Peers(connected, "jaxdali/0", [None] * processes)
        loader._step_runner.together = (AgreeOnSteps if agree else EndTogether)(peers, loader._step_runner)
        places.append(Place(process, loader))

    def live(place: Place, history: History) -> None:
        try:
            with place.loader:
                history(place)
        except BaseException as error:
            wrong.append((place.process, error))

    pairs = zip(places, histories, strict=True)
    threads = [threading.Thread(target=live, args=pair, daemon=True) for pair in pairs]
    for thread in threads:
        thread.start()
    end = time.monotonic() + STUCK_S
    for thread in threads:
        thread.join(max(end - time.monotonic(), 0.0))
    stuck = [place.process for place, thread in zip(places, threads, strict=True) if thread.is_alive()]
    for place in places:
        place.loader._step_runner.stop()
        place.loader._step_runner.together._end._watch._over.set()
    assert not stuck, (stuck, [place.found for place in places], memory.texts)
    assert not wrong, wrong
    return [place.found for place in places]


def steps_and_errors(found: list[Any]) -> list[Any]:
    """Returns what came, without the words of errors, which name who failed."""
    return [("error", came[1]) if isinstance(came, tuple) else came for came in found]
