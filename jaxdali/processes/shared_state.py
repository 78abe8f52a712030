"""Finds what forked workers would share or find locked, and what no other way of starting them would give them: open
files, sockets and held locks of a source.

What is no user's object is not looked into: functions and classes of modules, and objects of classes that say how they are
made anew. Nothing is pickled, because a source may hold all of its data.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import io
import itertools
import logging
import os
import socket
import stat
import sys
import threading
import time
import types
from collections.abc import Iterator, Sequence
from typing import Any

from ..interruptions import raised_by_handler
from ..ring.served_source import ServedSource
from ..user_warnings import warn_user
from .unpicklable import Culprit, parts_of_class, parts_of_function, parts_of_partial, prefix_of

__all__ = ["warn_of_shared_state"]

# The limits of a search: a source may hold millions of objects. What a source opens is near its top, and the search goes
# from there downwards.
_LIMIT_S = 0.05
_MOST_OBJECTS = 10_000
_MOST_PARTS = 1_000

_PLAIN = (type(None), bool, int, float, complex, str, bytes, bytearray, types.ModuleType)
_SEQUENCES = (list, tuple, set, frozenset, collections.deque)
# Threads know themselves that they are gone in a forked process, everybody's loggers write to files, and what is inside of
# a file is not more open than the file.
_LEFT_OUT = (threading.Thread, logging.Filterer, io.IOBase)
_OWN_PICKLING = ("__reduce__", "__reduce_ex__")  # a fork calls no __getstate__, which may drop a file
_LOCK, _RLOCK = type(threading.Lock()), type(threading.RLock())
_STANDARD = 2  # the largest descriptor of stdin, stdout and stderr


def warn_of_shared_state(served_sources: Sequence[ServedSource], workers: int) -> None:
    """Warns once about sources that are about to be forked, at the first thing found in the first of them."""
    deadline = time.monotonic() + _LIMIT_S
    for served in served_sources:
        source = served.source
        # One worker alone may have the file that it got: nobody else reads it.
        shared = workers > 1 and source.divides
        if found := _search(source, shared, deadline):
            culprit, why = found
            warn_user(f"{source.description} is given to {workers} forked worker(s): {culprit} {why}", UserWarning)
            return


def _search(source: object, shared: bool, deadline: float) -> tuple[Culprit, str] | None:
    queue = collections.deque([("source", source)])
    seen = {id(source): source}  # the values keep the objects alive, so that no id is reused
    while queue and len(seen) < _MOST_OBJECTS and time.monotonic() < deadline:
        path, value = queue.popleft()
        try:
            if why := _fault(value, shared):
                return Culprit(path, value), why
            for name, part in itertools.islice(_parts(value), _MOST_PARTS):
                if type(part) not in _PLAIN and id(part) not in seen:
                    seen[id(part)] = part
                    queue.append((path + name, part))
        except Exception as error:  # the user's own code says no
            if raised_by_handler(error):
                raise
    return None


def _fault(value: Any, shared: bool) -> str:
    """Returns what is wrong with a part of a source, as the end of a sentence; empty if nothing is."""
    if _is_held(value):
        return (
            "is locked, and stays so in the workers, where nobody unlocks it. Make it at the first call of the source, "
            "which is in the worker, or start the workers while it is free"
        )
    if shared and (kind := _open_kind(value)):
        return (
            f"is open, and all workers share the one {kind}: what one of them reads or seeks moves it for the others. "
            "Open it at the first call of the source, which is in the worker; or in __setstate__, and give "
            'py_start_method="forkserver"'
        )
    return ""


def _is_held(value: Any) -> bool:
    kind = type(value)
    if kind is _LOCK:
        return value.locked()
    if kind is _RLOCK:
        return value._is_owned() or _is_refused(value)
    # Not imported for this: who has such a lock has imported it.
    shared = sys.modules.get("multiprocessing.synchronize")
    if shared is not None and kind in (shared.Lock, shared.RLock):
        return value._semlock._get_value() == 0
    return False


def _is_refused(lock: Any) -> bool:
    """Whether another thread has a lock."""
    if not lock.acquire(blocking=False):
        return True
    lock.release()
    return False


def _open_kind(value: Any) -> str:
    """Returns what is shared of an open file that is read, or of a socket; empty for anything else."""
    if isinstance(value, socket.socket):
        return "stream" if value.fileno() >= 0 else ""
    if not issubclass(type(value), io.IOBase) or value.closed or not value.readable():
        return ""
    if value in (sys.stdin, sys.stdout, sys.stderr):
        return ""
    number = value.fileno()  # raises for a file in memory
    mode = os.fstat(number).st_mode
    # Devices such as /dev/urandom have no position.
    return "" if number <= _STANDARD or stat.S_ISCHR(mode) else "position" if stat.S_ISREG(mode) else "stream"


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    kind = type(value)
    if isinstance(value, dict):
        yield from ((f"[{key!r:.40}]", part) for key, part in dict.items(value))
    elif isinstance(value, _SEQUENCES):
        ordered = isinstance(value, list | tuple | collections.deque)
        yield from ((f"[{index}]" if ordered else ".<element>", part) for index, part in enumerate(value))
    elif kind is functools.partial:
        yield from parts_of_partial(value)
    elif kind is threading.Condition:
        yield "._lock", value._lock  # each thread that waits holds a lock, which a forked copy can do without
    elif kind in (types.MethodType, types.BuiltinMethodType):
        yield ".__self__", value.__self__
        if kind is types.MethodType:
            yield ".__func__", value.__func__
    elif kind is types.FunctionType:
        if not _is_by_reference(value):
            yield from parts_of_function(value)
    elif isinstance(value, type):
        if not _is_by_reference(value):
            yield from parts_of_class(value)
    elif not isinstance(value, _LEFT_OUT) and not _pickles_itself(kind):
        yield from _of_object(value)


def _is_by_reference(value: Any) -> bool:
    """Whether a function or class is pickled as a name of its module."""
    found: Any = sys.modules.get(getattr(value, "__module__", None) or "")
    if found is None or found.__name__ == "__main__":
        return False
    for name in value.__qualname__.split("."):
        found = vars(found).get(name) if hasattr(found, "__dict__") else None
    return found is value or getattr(found, "__func__", None) is value


def _pickles_itself(kind: type) -> bool:
    """Whether a class has a method of its own for pickling."""
    return any(name in vars(base) for base in kind.__mro__[:-1] for name in _OWN_PICKLING)


def _of_object(value: Any) -> Iterator[tuple[str, Any]]:
    prefix = prefix_of(value)
    with contextlib.suppress(AttributeError):
        yield from ((prefix(name), part) for name, part in list(object.__getattribute__(value, "__dict__").items()))
    for base in type(value).__mro__:
        for name, slot in list(vars(base).items()) if "__slots__" in vars(base) else ():
            if isinstance(slot, types.MemberDescriptorType):
                with contextlib.suppress(AttributeError):  # it is empty
                    yield prefix(name), slot.__get__(value)
    yield ".__class__", type(value)
