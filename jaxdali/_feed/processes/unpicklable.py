"""Finds the part of an object that makes it impossible to pickle.

The object is taken apart as pickling does it, and each part is tried by itself. A part that fails although all of its
own parts can be pickled is to blame. Only failing parts are searched further, so large healthy data costs one attempt.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import reprlib
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

from jaxdali._base.interruptions import raised_by_handler
from jaxdali._base.public_names import public_name

__all__ = ["Culprit", "find_culprit", "parts_of_function", "parts_of_partial"]

_MAX_DEPTH = 32
_LIMIT_S = 2.0
# Always picklable; most parts of most objects have these types.
_PLAIN = (type(None), bool, int, float, complex, str, bytes, bytearray)
# Attributes that every class has, and caches that pickling leaves out.
_CLASS_NOISE = ("__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "_abc_impl", "__slots__")


@dataclasses.dataclass(frozen=True)
class Culprit:
    """Reads like `source.reader.lock (a _thread.lock)`."""

    path: str
    value: Any

    def __str__(self) -> str:
        name = public_name(type(self.value))
        return f"{self.path} ({'an' if name[0].lower() in 'aeiou' else 'a'} {name})"


def find_culprit(
    source: object,
    error: Exception,
    dumps: Callable[[object], object],
    *,
    limit_s: float = _LIMIT_S,
) -> Culprit:
    """Returns the innermost part of `source` that `dumps` refuses.

    Args:
        error: what `dumps(source)` raised.
        dumps: of the pickler that refused it.
        limit_s: when the search ends, with the innermost part found so far. It never cuts an attempt short.
    """
    return _Search(dumps, time.monotonic() + limit_s).run(source, error)


class _Search:
    def __init__(self, dumps: Callable[[object], object], deadline: float):
        self._dumps = dumps
        self._deadline = deadline
        # What failed so far, by id. The values keep the objects alive, so that no id is reused.
        self._failed: dict[int, Any] = {}
        self._innermost = Culprit("source", None)
        self._depth = -1

    @functools.cached_property
    def _by_value(self) -> bool:
        """Whether functions are pickled by value, with everything they refer to, and not by reference."""
        return self._error(lambda: None) is None

    def _error(self, value: object) -> Exception | None:
        try:
            self._dumps(value)
        except Exception as error:
            if raised_by_handler(error):
                raise
            return error
        return None

    def run(self, source: object, error: Exception) -> Culprit:
        self._failed[id(source)] = source
        return self._look_into(source, "source", 0) or self._innermost

    def _look_into(self, value: object, path: str, depth: int) -> Culprit | None:
        """Returns the culprit in `value`, which fails; None if it fails only through something seen before."""
        here = Culprit(path, value)
        if depth > self._depth:
            self._depth, self._innermost = depth, here
        if depth == _MAX_DEPTH:
            return here
        innocent = False
        for name, part in self._parts(value):
            if type(part) in _PLAIN:
                continue
            if time.monotonic() > self._deadline:
                return self._innermost
            if id(part) in self._failed:
                innocent = True
            elif self._error(part) is not None:
                self._failed[id(part)] = part
                culprit = self._look_into(part, path + name, depth + 1)
                if culprit is not None:
                    return culprit
                innocent = True
        return None if innocent else here

    def _parts(self, value: Any) -> Iterator[tuple[str, Any]]:
        kind = type(value)
        if kind is dict:
            yield from _items(value.items())
        elif kind in (list, tuple):
            yield from ((f"[{index}]", part) for index, part in enumerate(value))
        elif kind in (set, frozenset):
            yield from ((".<element>", part) for part in value)
        elif kind is functools.partial:
            yield from parts_of_partial(value)
        elif kind is types.MethodType:
            yield ".__self__", value.__self__
            yield ".__func__", value.__func__
        elif kind is types.FunctionType:
            if self._by_value:
                yield from parts_of_function(value)
        elif isinstance(value, type):
            if self._by_value:
                yield from _parts_of_class(value)
        else:
            yield from _of_object(value)


def _items(items: Any) -> Iterator[tuple[str, object]]:
    for key, part in items:
        yield f"[{reprlib.repr(key)}]", part
        yield f".<key {reprlib.repr(key)}>", key


def _code_names(code: types.CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _code_names(constant)
    return names


def parts_of_partial(value: functools.partial[Any]) -> Iterator[tuple[str, object]]:
    """Yields what a partial holds, with the rest of the path to each."""
    yield ".func", value.func
    ours = value.func is iter  # our own wrapper: how an iterable is sent
    yield from (("" if ours else f".args[{index}]", part) for index, part in enumerate(value.args))
    yield from ((f".keywords[{name!r}]", part) for name, part in value.keywords.items())


def parts_of_function(function: types.FunctionType) -> Iterator[tuple[str, object]]:
    """Yields what a function refers to, with the rest of the path to each."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # an empty cell
            yield f".<closure>.{name}", cell.cell_contents
    for index, part in enumerate(function.__defaults__ or ()):
        yield f".__defaults__[{index}]", part
    for name, part in (function.__kwdefaults__ or {}).items():
        yield f".__kwdefaults__[{name!r}]", part
    for name, part in vars(function).items():
        yield f".{name}", part
    for name in sorted(_code_names(function.__code__) & function.__globals__.keys()):
        yield f".<global>.{name}", function.__globals__[name]


def _parts_of_class(cls: type) -> Iterator[tuple[str, object]]:
    """Yields what a class holds, with the rest of the path to each."""
    for name, part in vars(cls).items():
        if name in _CLASS_NOISE or isinstance(part, types.MemberDescriptorType | types.GetSetDescriptorType):
            continue
        if isinstance(part, staticmethod | classmethod):
            part = part.__func__
        elif isinstance(part, property):
            part = part.fget
        yield f".{name}", part
    for index, base in enumerate(cls.__bases__):
        yield f".__bases__[{index}]", base


def _of_object(value: object) -> Iterator[tuple[str, object]]:
    """Yields the parts that `__reduce_ex__` names, so that what `__getstate__` leaves out is not blamed."""
    try:
        reduced = value.__reduce_ex__(4)
    except Exception as error:
        if raised_by_handler(error):
            raise
        return
    if isinstance(reduced, str):
        return
    arguments, *more = reduced[1:]
    state, items, pairs = (*more, None, None, None)[:3]
    prefix = _prefix_of(value)
    for index, part in enumerate(arguments):
        yield (".__class__" if part is type(value) else f".<argument {index}>"), part
    states = state if isinstance(state, tuple) and len(state) == 2 else (state,)
    for state in states:
        if isinstance(state, dict):
            yield from ((prefix(name), part) for name, part in state.items())
        elif state is not None:
            yield ".<state>", state
    yield from ((f"[{index}]", part) for index, part in enumerate(() if items is None else items))
    yield from _items(() if pairs is None else pairs)


def _prefix_of(value: object) -> Callable[[object], str]:
    """Returns what makes the rest of a path of the name of an attribute."""
    # Names the user's own object "source", not the wrapper that we put it in.
    if type(value).__module__.startswith("jaxdali._feed.source."):
        return lambda name: ""
    return lambda name: f".{name}"
