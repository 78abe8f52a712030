"""Finds what forked workers would share, find locked, or lack, and what no other way of starting them would give them: open
files, sockets, held locks, generators and threads of a source.

What is no user's object is not looked into: functions and classes of modules, objects of the standard library, and
objects of classes that say how they are made anew. Nothing is pickled, because a source may hold all of its data. No
code of the user's runs: a lazy object would make in this process what it is to make in each worker. So the kind of an
object is its type, whatever it says about its class, and what it holds is read where its type keeps it.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import gc
import io
import itertools
import mmap
import os
import socket
import stat
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from jaxdali._base.interruptions import raised_by_handler
from jaxdali._base.user_warnings import warn_user
from ..ring.served_source import ServedSource
from .unpicklable import Culprit, parts_of_function, parts_of_partial

__all__ = ["warn_of_shared_state"]

# The limits of a search: a source may hold millions of objects. What a source opens is near its top, and the search goes
# from there downwards.
_LIMIT_S = 0.05  # of the CPU: what is found must not depend on what else the machine does
_MOST_OBJECTS = 10_000
_MOST_PARTS = 1_000

# How a type says what it is, past the code that its metaclass may have for that.
_bases: Callable[[type], tuple[type, ...]] = type.__dict__["__bases__"].__get__
_mro: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__
_members: Callable[[type], types.MappingProxyType[str, Any]] = type.__dict__["__dict__"].__get__
_module: Callable[[type], object] = type.__dict__["__module__"].__get__
_name: Callable[[type], str] = type.__dict__["__qualname__"].__get__

# Types are compared as objects: a metaclass may have an __eq__ and a __hash__.
_PLAIN = {id(one) for one in (type(None), bool, int, float, complex, str, bytes, bytearray, types.ModuleType)}
_WORDS = {id(one) for one in (type(None), bool, int, float, str, bytes)}  # keys that a path quotes
_MAPS = (mmap.mmap, np.memmap)
_MOST_LOOKED_AT = 8  # in a container, for maps

# Libraries whose objects nobody opens to read samples, whoever has extended their classes: an event loop has sockets,
# a logger files, and a thread knows itself that it is gone in a forked process.
_MACHINERY = {"asyncio", "concurrent", "logging", "multiprocessing", "selectors", "subprocess", "threading"}
_MACHINERY |= {"_thread", "_threading_local"}  # asked for what it holds, a thread's local object makes it
_HOLDERS = {"collections", "types"}  # libraries whose objects hold only what they were given
_OWN_PICKLING = ("__reduce__", "__reduce_ex__")  # a fork calls no __getstate__, which may drop a file
_LOCK, _RLOCK = type(threading.Lock()), type(threading.RLock())
_STANDARD = 2  # the largest descriptor of stdin, stdout and stderr

# Where an object that reads a file has it, by the names of its module and class: none of these modules is imported for this.
_INNER = {
    ("gzip", "GzipFile"): "fileobj",
    ("bz2", "BZ2File"): "_fp",
    ("lzma", "LZMAFile"): "_fp",
    ("zipfile", "ZipFile"): "fp",
    ("zipfile", "ZipExtFile"): "_fileobj",
    ("zipfile", "_SharedFile"): "_file",
    ("tarfile", "TarFile"): "fileobj",
    ("tarfile", "_FileInFile"): "fileobj",
    ("tarfile", "_Stream"): "fileobj",
    ("codecs", "StreamReader"): "stream",
    ("codecs", "StreamReaderWriter"): "stream",
    ("subprocess", "Popen"): "stdout",
    ("socket", "SocketIO"): "_sock",
    ("http.client", "HTTPConnection"): "sock",
    ("http.client", "HTTPSConnection"): "sock",
    ("http.client", "HTTPResponse"): "fp",
}
_MOST_INNER = 8

# Iterators of builtins and of the standard library: what they go through is theirs, but no attribute. Nor are a generator's
# variables: its frame would keep what reading them by name finds, for as long as it lives.
_ITERATORS = {id(one) for one in (enumerate, map, filter, zip, reversed, type(iter(list, None)), types.GeneratorType)}
_ITERATORS |= {id(type(iter(one))) for one in ((), [], {}, {}.values(), {}.items(), set[object]())}
_NAMED_ITERATORS = {("_csv", "reader"), ("sqlite3", "Cursor")}

# What has threads of its own, and where it keeps them, also when they have ended.
_POOLS = {
    ("concurrent.futures.thread", "ThreadPoolExecutor"): "_threads",
    ("concurrent.futures.process", "ProcessPoolExecutor"): "_executor_manager_thread",
    ("multiprocessing.pool", "Pool"): "_pool",
    ("multiprocessing.pool", "ThreadPool"): "_pool",
}

# The rest of a path: text, an index, or the key of a dictionary in a tuple, of which text is made only if it is needed.
_Step = str | int | tuple[object]


@dataclasses.dataclass(slots=True)
class _Place:
    above: _Place | None
    step: _Step
    value: Any
    by_a_map: bool = False  # the object that holds it holds memory maps as well

    def path(self) -> str:
        steps = []
        place: _Place | None = self
        while place is not None:
            steps.append(_text(place.step))
            place = place.above
        return "".join(reversed(steps))


def _text(step: _Step) -> str:
    if isinstance(step, str):
        return step
    if isinstance(step, int):
        return f"[{step}]"
    (key,) = step
    kind = type(key)
    return f"[{key!r:.40}]" if id(kind) in _WORDS else f"[<{_name(kind)}>]"


def warn_of_shared_state(served_sources: Sequence[ServedSource], workers: int) -> None:
    """Warns once about sources that are about to be forked, at the first thing found in the first of them."""
    deadline = time.thread_time() + _LIMIT_S
    for served in served_sources:
        source = served.source
        # One worker alone may have the file that it got: nobody else reads it.
        shared = workers > 1 and source.divides
        if found := _search(source, shared, deadline):
            culprit, why = found
            warn_user(f"{source.description} is given to {workers} forked worker(s): {culprit} {why}", UserWarning)
            return


def _search(source: object, shared: bool, deadline: float) -> tuple[Culprit, str] | None:
    queue = collections.deque([_Place(None, "source", source)])
    seen = {id(source): source}  # the values keep the objects alive, so that no id is reused
    while queue and len(seen) < _MOST_OBJECTS and time.thread_time() < deadline:
        place = queue.popleft()
        value = place.value
        try:
            if why := _fault(value, shared and not place.by_a_map):
                return Culprit(place.path(), value), why
            parts = list(itertools.islice(_parts(value), _MOST_PARTS))
            # A list of files belongs to the object that has it beside a list of their maps.
            by_a_map = (place.by_a_map and _is_container(value)) or any(_has_maps(part) for _, part in parts)
        except Exception as error:  # such as a list that another thread changes
            if raised_by_handler(error):
                raise
            continue
        for step, part in parts:
            if id(type(part)) not in _PLAIN and id(part) not in seen:
                seen[id(part)] = part
                queue.append(_Place(place, step, part, by_a_map))
    return None


def _fault(value: Any, shared: bool) -> str:
    """Returns what is wrong with a part of a source, as the end of a sentence; empty if nothing is."""
    if _is_held(value):
        return (
            "is locked, and stays so in the workers, where nobody unlocks it. Make it at the first call of the source, "
            "which is in the worker, or start the workers while it is free"
        )
    if _has_threads(value):
        return (
            "has threads, which a fork does not inherit, so that its calls wait for ever in a worker. Make it at the first "
            "call of the source, which is in the worker"
        )
    if shared and type(value) is types.GeneratorType and value.gi_frame is not None:
        return (
            "is copied into the workers, and each goes on with its own, so that items come several times. Give the "
            "generator function itself as the source, which one worker runs, or make each item of the sample's index"
        )
    if shared and _is_open_database(value):
        return (
            "is open, and SQLite allows no connection to be used across a fork. Open it at the first call of the source, "
            "which is in the worker"
        )
    if shared and (kind := _open_kind(value)):
        return (
            f"is open, and all workers share the one {kind}: what one of them reads or seeks moves it for the others. "
            "Open it at the first call of the source, which is in the worker; or in __setstate__, and give "
            'py_start_method="forkserver"'
        )
    return ""


def _is_a(value: object, *kinds: type) -> bool:
    return any(base is kind for base in _mro(type(value)) for kind in kinds)


def _is_held(value: Any) -> bool:
    """Whether a lock of threads is held. Those of processes are not asked: another process may unlock them."""
    kind = type(value)
    if kind is _LOCK:
        return value.locked()
    return kind is _RLOCK and repr(value).startswith(
        "<locked"
    )  # which also says so of another thread's, and takes none


def _open_kind(value: Any) -> str:
    """Returns what is shared of a socket, or of an open file that is only read; empty for anything else. Who writes a
    file, too, knows that it is one for all.
    """
    if any(value is one for one in (sys.stdin, sys.stdout, sys.stderr)):
        return ""
    file = _innermost(value)
    if isinstance(file, socket.socket):
        return "stream" if socket.socket.fileno(file) >= 0 else ""
    if file is None or file.closed or file.writable():
        return ""
    number = file.fileno()
    mode = os.fstat(number).st_mode
    # Devices such as /dev/urandom have no position.
    return "" if number <= _STANDARD or stat.S_ISCHR(mode) else "position" if stat.S_ISREG(mode) else "stream"


def _innermost(value: Any) -> io.FileIO | socket.socket | None:
    """Returns the file or socket that an object reads from; None if it is no object of the standard library that does."""
    for _ in range(_MOST_INNER):
        kind = type(value)
        if kind is io.FileIO or _is_a(value, socket.socket):
            return value
        if kind is io.TextIOWrapper:
            try:
                value = value.buffer
            except ValueError:  # it was detached
                return None
        elif kind is io.BufferedReader or _names(kind) == ("tarfile", "ExFileObject"):
            value = value.raw
        elif (names := _names(kind)) in _INNER:
            value = _attributes(value).get(_INNER[names])
        else:
            return None
    return None


def _names(kind: type) -> tuple[str, str]:
    module = _module(kind)
    return (module if type(module) is str else ""), _name(kind)


def _has_threads(value: object) -> bool:
    """Whether an object is a pool of threads or processes that has begun to work, and still takes work."""
    for base in _mro(type(value)):
        if (names := _names(base)) in _POOLS:
            held = _attributes(value)
            return bool(held.get(_POOLS[names])) and not held.get("_shutdown") and held.get("_state", "RUN") == "RUN"
    return False


def _is_open_database(value: object) -> bool:
    for base in _mro(type(value)):
        if _names(base) == ("sqlite3", "Connection"):
            _members(base)["total_changes"].__get__(value)  # raises an error if it is closed
            return True
    return False


def _has_maps(value: object) -> bool:
    """Whether an object is a memory map, or a container that begins with some."""
    if _is_container(value):
        return any(_is_a(part, *_MAPS) for _, part in itertools.islice(_of_container(value), _MOST_LOOKED_AT))
    return _is_a(value, *_MAPS)


def _is_container(value: object) -> bool:
    return _is_a(value, dict, *_SEQUENCES)


# How a container is iterated over, past what a class of the user's makes of that; and whether its elements have numbers.
_SEQUENCES: dict[type, tuple[Callable[[Any], Iterator[object]], bool]] = {
    list: (list.__iter__, True),
    tuple: (tuple.__iter__, True),
    collections.deque: (collections.deque.__iter__, True),
    set: (set.__iter__, False),
    frozenset: (frozenset.__iter__, False),
}


def _of_container(value: Any) -> Iterator[tuple[_Step, object]]:
    for base in _mro(type(value)):
        if base is dict:
            yield from (((key,), part) for key, part in dict.items(value))
        for kind, (elements, ordered) in _SEQUENCES.items():
            if base is kind:
                yield from ((index if ordered else ".<element>", part) for index, part in enumerate(elements(value)))


def _parts(value: Any) -> Iterator[tuple[_Step, object]]:
    kind = type(value)
    if _is_container(value):
        yield from _of_container(value)
    elif kind is functools.partial:
        yield from parts_of_partial(value)
    elif kind is threading.Condition:
        # Each thread that waits holds a lock, which a forked copy can do without.
        yield "._lock", _attributes(value).get("_lock")
    elif id(kind) in _ITERATORS or _module(kind) == "itertools" or _names(kind) in _NAMED_ITERATORS:
        yield from ((".<iterated>", part) for part in gc.get_referents(value))
    elif any(kind is one for one in (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType)):
        yield ".__self__", value.__self__
        if kind is types.MethodType:
            yield ".__func__", value.__func__
    elif kind is types.FunctionType:
        if not _is_by_reference(value, value.__module__, value.__qualname__):
            yield from parts_of_function(value)
    elif _is_a(value, type):
        if not _is_by_reference(value, _module(value), _name(value)):
            yield from _of_class(value)
    elif _is_looked_into(kind):
        yield from _of_object(value)


def _is_by_reference(value: object, module: object, qualname: str) -> bool:
    """Whether a function or class is pickled as a name of its module."""
    found: Any = sys.modules.get(module) if type(module) is str else None
    if found is None:
        return False
    if not _is_a(found, types.ModuleType):
        return True  # a program may put any object there
    if _attributes(found).get("__name__") == "__main__":
        return False
    for name in qualname.split("."):
        names = _members(found) if _is_a(found, type) else _attributes(found)
        found = names.get(name)
    return found is value or (type(found) in (staticmethod, classmethod) and found.__func__ is value)


def _is_looked_into(kind: type) -> bool:
    """Whether objects of a class are the user's, and hold what the program has given them."""
    for base in _mro(kind)[:-1]:
        if _top(base) in _MACHINERY or any(name in _members(base) for name in _OWN_PICKLING):
            return kind is types.SimpleNamespace
    top = _top(kind)
    return top not in sys.stdlib_module_names or top in _HOLDERS


def _top(kind: type) -> str:
    module = _module(kind)
    return module.partition(".")[0] if type(module) is str else ""


def _attributes(value: object) -> dict[str, Any]:
    """Returns the attributes that an object has of its own; empty if its class makes them up."""
    for base in _mro(type(value)):
        found = _members(base).get("__dict__")
        if found is not None:
            plain = type(found) is types.GetSetDescriptorType or type(found) is types.MemberDescriptorType
            kept = found.__get__(value) if plain else None
            return kept if type(kept) is dict else {}
    return {}


def _of_object(value: object) -> Iterator[tuple[_Step, object]]:
    # The user's own object is called "source", not the wrapper that we put it in.
    ours = str(_module(type(value))).startswith("jaxdali._feed.source.")
    for name, part in list(itertools.islice(dict.items(_attributes(value)), _MOST_PARTS)):
        yield ("" if ours else f".{name}" if type(name) is str else (name,)), part
    for base in _mro(type(value)):
        for name, slot in list(_members(base).items()) if "__slots__" in _members(base) else ():
            if type(slot) is types.MemberDescriptorType:
                try:
                    part = slot.__get__(value)
                except AttributeError:  # it is empty
                    continue
                yield ("" if ours else f".{name}"), part
    yield ".__class__", type(value)


def _of_class(cls: type) -> Iterator[tuple[_Step, object]]:
    for name, part in list(_members(cls).items()):
        kind = type(part)
        if kind is staticmethod or kind is classmethod:
            part = part.__func__
        elif kind is property:
            part = part.fget
        if kind is not types.MemberDescriptorType and kind is not types.GetSetDescriptorType:
            yield (f".{name}" if type(name) is str else (name,)), part
    yield from ((f".__bases__[{index}]", base) for index, base in enumerate(_bases(cls)))
