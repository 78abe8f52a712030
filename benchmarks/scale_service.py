"""The service of `jax.distributed` in memory, and what a process asks of it, counted; the real one is counted alike."""

from __future__ import annotations

import collections
import contextlib
import re
import threading
from collections.abc import Iterator
from typing import Any

import jax

from jaxdali._loader import output_sharding
from jaxdali._run.multihost import agreement, service

__all__ = ["VAIN", "CountedClient", "Memory", "MemoryClient", "Place", "Tally", "is_background", "placed", "simulated"]

# What a key is about: jaxdali/NUMBER/WHAT/...
_ABOUT = re.compile(r"jaxdali/\d+/([a-z]+)")
# What threads ask and say now and then, or when they notice that a Loader was closed, whatever steps are taken.
_BACKGROUND = ("closed", "failed", "history", "left")
# The call of one that waits, and does so again because nothing has come.
VAIN = "get in vain"


class Tally:
    """How often each call was made, and the bytes of keys and texts that were sent and received, by (subject, call)."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], list[int]] = collections.defaultdict(lambda: [0, 0, 0])

    def add(self, key: str, call: str, sent: int, received: int) -> None:
        about = _ABOUT.match(key)
        entry = self.found[about[1] if about else key, call]
        for place, more in enumerate((1, sent, received)):
            entry[place] += more

    def total(self, *subjects: str) -> list[int]:
        """Returns calls, bytes sent and bytes received about some subjects; of all, if none is named."""
        wanted = [entry for (about, _), entry in self.found.items() if not subjects or about in subjects]
        return [sum(column) for column in zip(*wanted, strict=True)] or [0, 0, 0]


def is_background(subject: str) -> bool:
    """Whether a subject is asked about by the clock, and not once a step."""
    return subject in _BACKGROUND


class CountedClient:
    """A process's connection with the service, which counts each call.

    Args:
        client: a `jax._src.lib._jax.DistributedRuntimeClient`, or a `MemoryClient`.
        tally: shared by whatever is counted together.
    """

    def __init__(self, client: Any, tally: Tally):
        self._client, self.tally = client, tally

    def key_value_set(self, key: str, value: str, allow_overwrite: bool = False) -> None:
        self._client.key_value_set(key, value, allow_overwrite=allow_overwrite)
        self.tally.add(key, "set", len(key) + len(value), 0)

    def key_value_increment(self, key: str, by: int) -> int:
        found = self._client.key_value_increment(key, by)
        self.tally.add(key, "increment", len(key) + 8, 8)
        return found

    def key_value_dir_get(self, key: str) -> list[tuple[str, str]]:
        found = self._client.key_value_dir_get(key)
        self.tally.add(key, "dir_get", len(key), sum(len(name) + len(text) for name, text in found))
        return found

    def key_value_delete(self, key: str) -> None:
        self._client.key_value_delete(key)
        self.tally.add(key, "delete", len(key), 0)

    def blocking_key_value_get(self, key: str, wait_ms: int) -> str:
        try:
            found = self._client.blocking_key_value_get(key, wait_ms)
        except jax.errors.JaxRuntimeError:
            self.tally.add(key, VAIN, len(key), 0)
            raise
        self.tally.add(key, "get", len(key), len(found))
        return found


class Memory:
    """What the service keeps, for all simulated processes."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.lock = threading.Lock()
        self.awaited: dict[str, threading.Event] = {}

    @property
    def size(self) -> int:
        """Bytes of keys and texts."""
        return sum(len(key) + len(text) for key, text in self.texts.items())


class MemoryClient:
    """One process's connection with it, under the names of `DistributedRuntimeClient`."""

    def __init__(self, memory: Memory):
        self._memory = memory

    def key_value_set(self, key: str, value: str, allow_overwrite: bool = False) -> None:
        with self._memory.lock:
            if not allow_overwrite and key in self._memory.texts:
                raise jax.errors.JaxRuntimeError(f"ALREADY_EXISTS: {key}")
            self._memory.texts[key] = value
            awaited = self._memory.awaited.pop(key, None)
        if awaited is not None:
            awaited.set()

    def key_value_increment(self, key: str, by: int) -> int:
        with self._memory.lock:
            value = int(self._memory.texts.get(key, "0")) + by
            self._memory.texts[key] = str(value)
            return value

    def key_value_dir_get(self, key: str) -> list[tuple[str, str]]:
        with self._memory.lock:
            return [(name, text) for name, text in self._memory.texts.items() if name.startswith(key)]

    def key_value_delete(self, key: str) -> None:
        with self._memory.lock:
            for name in [name for name in self._memory.texts if name.startswith(key)]:
                del self._memory.texts[name]

    def blocking_key_value_get(self, key: str, wait_ms: int) -> str:
        with self._memory.lock:
            if (found := self._memory.texts.get(key)) is not None:
                return found
            event = self._memory.awaited.setdefault(key, threading.Event())
        if not event.wait(wait_ms / 1000):
            raise jax.errors.JaxRuntimeError("DEADLINE_EXCEEDED: nobody has set it")
        with self._memory.lock:
            return self._memory.texts[key]


class Place:
    """Which of the simulated processes a thread is.

    Attributes:
        process, processes: its number, and that of all.
        client: its connection.
        made: how many things it has made together with the others.
    """

    def __init__(self, process: int, processes: int, client: CountedClient):
        self.process, self.processes, self.client = process, processes, client
        self.made = 0


_here = threading.local()


@contextlib.contextmanager
def placed(place: Place) -> Iterator[None]:
    """Makes the calling thread one of the processes."""
    _here.place = place
    try:
        yield
    finally:
        del _here.place


def _place() -> Place | None:
    return getattr(_here, "place", None)


class _Numbers:
    """Counts what each process makes, as `itertools.count` does where processes are real."""

    def __next__(self) -> int:
        place = _place()
        assert place is not None, "only a simulated process makes something together with others"
        place.made += 1
        return place.made - 1


class _Devices(output_sharding.OutputSharding):
    """One part of the batch for each process. This machine's CPU stands for the device of each."""

    def __init__(self, sharding: object, device: object):
        super().__init__(None, None)
        place = _place()
        assert place is not None, "only a simulated process has simulated devices"
        self.count, self.parts, self.alone = place.processes, (place.process,), place.processes == 1


@contextlib.contextmanager
def simulated() -> Iterator[None]:
    """In the block, threads that are `placed` are processes of a program. What they run is the package's own code: only
    the numbers of processes, the service and the devices are others.
    """
    index, count = jax.process_index, jax.process_count
    theirs = (
        (jax, "process_index", lambda: place.process if (place := _place()) else index()),
        (jax, "process_count", lambda: place.processes if (place := _place()) else count()),
        (service, "coordination_client", lambda: place.client if (place := _place()) else None),
        (agreement, "_numbers", _Numbers()),
        (output_sharding, "OutputSharding", _Devices),
    )
    before = [(module, name, getattr(module, name)) for module, name, _ in theirs]
    for module, name, value in theirs:
        setattr(module, name, value)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)
