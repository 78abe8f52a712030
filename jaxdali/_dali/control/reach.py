"""Finds the objects that code can change: what is reachable from the variables that it, and functions it calls, load.

In come a frame's variables, its module's, and what the code names (`Used`). The search goes from what is named through
containers, attributes, closures and functions, those first; what a function names in turn makes it begin again, until
nothing is new or the limit is reached. Out go `held`, each object that can change with its contents, and `seen`, all,
by identity. It relies on ownership.py for whose code and classes are searched, on object_contents.py for how contents are
noted.
"""

from __future__ import annotations

import array
import collections
import functools
import gc
import io
import sys
import types
import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from jaxdali._base.constants import Constant
from ..graph.call import DataNode
from ..graph.unset import Unset
from .object_contents import Attributes, Cell, ClassAttributes, Held, Items, Members, Named, Position, Raw, Sequence
from .ownership import is_foreign_file, is_installed, is_own, is_users_class, is_users_code, is_users_module, package_of
from .used import Used, used_by

__all__ = ["MOST_OBJECTS", "Reach", "is_iterator"]

# The limits on what is searched for an `if`, in objects and in bytes of arrays. No limit in seconds: what is found must not
# depend on the machine.
MOST_OBJECTS, _MOST_BYTES = 10_000, 64 << 20
_ATOMS = (type(None), type(...), range, slice, np.number, np.bool_, np.dtype, DataNode, Unset, Constant)
_HEAP = 1 << 9  # a class that was defined in Python
_NUMBERS = {str, int, float, complex, bool, bytes, type(None)}
# Classes of Python whose instances hold values in attributes, and do nothing else with them.
_HOLDERS = {
    "abc",
    "argparse",
    "collections",
    "queue",
    "types",
    "dataclasses",
    "typing",
    "contextlib",
    "weakref",
    "_weakrefset",
}
_NAMING = (types.FunctionType, type)
_METHODS = (types.FunctionType, staticmethod, classmethod)
_NO_VALUES = {"__dict__", "__weakref__", "__module__", "__doc__", "__class__"}
_CACHED: Any = type(functools.lru_cache(lambda: None))
_VIEWS = (types.MappingProxyType, type({}.keys()), type({}.values()), type({}.items()), np.flatiter)


class Reach:
    """What code can reach.

    Args:
        variables: the variables of the frame, by name.
        outer: its module's variables.
        used: what the code names.
        functions: functions that it calls besides.
        source: returns what a function keeps, see `used.kept_in`.
        most: how many objects are searched.

    Attributes:
        held: the objects that can change, with what they hold now.
        seen: all objects that were found, by identity.
        direct: the identities of those that the frame's variables hold, also within tuples.
        beyond: a variable from which more is reachable than was searched, and an object there; None if all was.
    """

    def __init__(
        self,
        variables: Mapping[str, object],
        outer: dict[str, Any],
        used: Used,
        functions: Iterable[object] = (),
        source: Callable[[types.FunctionType], frozenset[str]] = lambda _: frozenset(),
        most: int = MOST_OBJECTS,
    ):
        self._most = most
        self._kept_of = source
        self._functions = tuple(functions)
        # What functions name counts for all that was found before them, so it is looked for again.
        while True:
            self._used = self._found = used
            self._search(variables, outer)
            if self._found == used or self.beyond:
                return
            used = self._found

    def forget(self) -> None:
        """Releases all objects."""
        self.held, self.seen = [], {}

    @property
    def kept(self) -> frozenset[str]:
        """The keys of what the code computes once and keeps."""
        return self._found.kept

    def _search(self, variables: Mapping[str, object], outer: dict[str, Any]) -> None:
        self.held: list[Held] = []
        self.seen: dict[int, object] = {}
        self.direct: set[int] = set()
        self.beyond: tuple[str, object] | None = None
        self._bytes = 0
        self._waiting: collections.deque[tuple[object, str | None, str]] = collections.deque()
        roots = [variables[name] for name in sorted(self._used.names) if name in variables]
        for name in sorted(self._used.names & variables.keys()):
            self._add(variables[name], None, name)
        self._add_direct(roots)
        self._add_globals(outer, self._used, variables)
        for name in sorted(self._used.modules):
            self._add(sys.modules.get(name), f".{name}", name)
        for function in self._functions:
            if isinstance(function, types.FunctionType):
                self._function(function, "a branch", True)
        count = 0
        while self._waiting:
            value, key, root = self._waiting.popleft()
            if id(value) in self.seen:
                continue
            if not isinstance(value, _NAMING) and self._found != self._used:
                return
            count += 1
            if count > self._most:
                self.beyond = root, value
                return
            self.seen[id(value)] = value
            self._visit(value, key, root)

    def _add(self, value: object, key: str | None, root: str) -> None:
        if isinstance(value, _NAMING):  # first, because what they name decides what is searched
            self._waiting.appendleft((value, key, root))
        elif type(value) not in _NUMBERS and not isinstance(value, _ATOMS):
            self._waiting.append((value, key, root))

    def _add_direct(self, values: Iterable[object]) -> None:
        for value in values:
            self.direct.add(id(value))
            if isinstance(value, tuple):
                self._add_direct(value)

    def _add_globals(
        self, outer: dict[str, Any], used: Used, hidden: Mapping[str, object] = types.MappingProxyType({})
    ) -> None:
        # Attributes of `sys.modules[__name__]`, and entries of `globals()`, are variables, too.
        named = used.names | used.attributes | (used.words if "globals" in used.names else frozenset())
        for name in sorted(named & outer.keys() - hidden.keys()):
            self._add(outer[name], name, name)
        stored = self._used.stored | self._used.words | (self._used.names & outer.keys())
        names = {name for name in stored if not (name.startswith("__") and name.endswith("__"))}
        if names and id(outer) not in self.seen:
            self.seen[id(outer)] = outer
            self.held.append(Items(outer, names=names, prefix=""))

    # KINDS OF OBJECTS -------------------------------------------------------------------------------------------------

    def _visit(self, value: Any, key: str | None, root: str) -> None:
        kind = type(value)
        if _is_plain(kind):
            self._attributes(value, root)
        elif isinstance(value, types.ModuleType):
            self._module(value, root)
        elif isinstance(value, types.FunctionType):
            self._function(value, root, False)
        elif isinstance(value, type):
            self._class(value, root)
        elif is_own(kind):
            return
        else:
            self._content(value, key, root)
            if kind.__module__ != "builtins" and kind is not np.ndarray:
                self._attributes(value, root)

    def _content(self, value: Any, key: str | None, root: str) -> None:
        if isinstance(value, dict):
            self._hold(Items(value, key), root)
            if isinstance(value, collections.defaultdict):
                self._add(value.default_factory, None, root)
        elif isinstance(value, list | collections.deque):
            self._hold(Sequence(value, key), root)
        elif isinstance(value, np.ndarray):
            self._array(value, key, root)
        elif isinstance(value, set):
            self._hold(Members(value, key), root)
        elif isinstance(value, bytearray | array.array | io.StringIO | io.BytesIO):
            self._hold(Raw(value, key), root)
        elif isinstance(value, tuple | frozenset):
            self._add_all(value, root)
        elif isinstance(value, types.CellType):
            self._hold(Cell(value, key or "a variable"), root)
        elif isinstance(value, io.IOBase):
            if not value.closed and value.readable() and not value.writable():
                self.held.append(Position(value, key))
        elif is_iterator(value):
            self.held.append(Position(value, key))
            if not isinstance(value, types.GeneratorType):
                self._add_all(gc.get_referents(value), root)
        else:
            self._add_all(_parts(value), root)

    def _array(self, value: np.ndarray, key: str | None, root: str) -> None:
        if value.dtype.hasobject:
            if value.dtype == object:
                self._hold(Sequence(value, key), root)
            return
        self._bytes += value.nbytes
        if self._bytes > _MOST_BYTES:
            self.beyond = self.beyond or (root, value)
        elif value.flags.writeable:
            self._hold(Raw(value, key), root)

    def _hold(self, held: Held, root: str) -> None:
        self.held.append(held)
        if isinstance(held.before, dict):
            if isinstance(held, Cell):
                for name, value in held.before.items():
                    self._add(value, name, root)
            else:
                self._add_all(held.before, root)
                self._add_all(held.before.values(), root)
        elif isinstance(held, Sequence | Members):
            self._add_all(held.before, root)

    def _add_all(self, values: Iterable[object], root: str) -> None:
        for value in values:
            if type(value) not in _NUMBERS:
                self._add(value, None, root)

    def _attributes(self, value: Any, root: str) -> None:
        """Adds what an object of a class holds in attributes: all of a user's class, those that are named of others."""
        kind = type(value)
        holds = _holding(kind)
        if holds is None:
            return
        names = None if holds.all else self._used.attributes | self._used.stored | self._used.words
        attributes = getattr(value, "__dict__", None)
        if isinstance(attributes, dict):
            self._named(Items(attributes, names=names, prefix=".", owner=kind), root)
        slots = {name: slot for name, slot in holds.slots.items() if names is None or name in names}
        if slots:
            self._named(Attributes(value, slots), root)
        if id(kind) not in self.seen:
            self._add(kind, None, root)

    def _named(self, held: Named, root: str) -> None:
        self.held.append(held)
        self.seen[id(held.target)] = held.target
        for name, value in held.before.items():
            self._add(value, f".{name}", root)

    def _class(self, kind: type, root: str) -> None:
        if not is_users_class(kind):
            return
        stored = self._used.stored | self._used.words
        names = self._used.attributes | stored
        self.held.append(ClassAttributes(kind, [name for name in stored if name not in _NO_VALUES]))
        for name, value in list(vars(kind).items()):
            if name in names or (name.startswith("__") and isinstance(value, _METHODS)):
                self._add(value, f".{name}", root)
        self._add_all((*kind.__bases__, type(kind)), root)

    def _module(self, module: types.ModuleType, root: str) -> None:
        if is_users_module(module):
            own = vars(module)
            for name in sorted(self._used.attributes & own.keys()):
                self._add(own[name], f".{name}", root)
            if (names := self._used.stored & own.keys()) and id(own) not in self.seen:
                self.seen[id(own)] = own
                self.held.append(Items(own, names=names, prefix=""))

    def _function(self, function: types.FunctionType, root: str, called: bool) -> None:
        if not called and (is_foreign_file(function) or not is_users_code(function)):
            # It may stand around one of the user's, as contextlib's and functools' do.
            self._add_all(function.__closure__ or (), root)
            self._add(function.__dict__.get("__wrapped__"), None, root)
            return
        code = function.__code__
        used = used_by(code)
        self._found |= used._replace(kept=self._kept_of(function))
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            self._add(cell, name, root)
        self._add_globals(function.__globals__, used)
        self._add_all((*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()), root)
        if function.__dict__:
            self._named(Items(function.__dict__, prefix="."), root)


@functools.lru_cache(maxsize=4096)
def _is_plain(kind: type) -> bool:
    """Whether objects of a class hold values in attributes only."""
    return (
        kind.__flags__ & _HEAP != 0 and kind.__base__ is object and is_users_class(kind) and not issubclass(kind, type)
    )


def is_iterator(value: object) -> bool:
    """Whether an object is an iterator that keeps its position itself: not one of a user's class."""
    if not hasattr(type(value), "__next__") or isinstance(value, io.IOBase):
        return False
    return not is_users_class(type(value))


class _Holding(NamedTuple):
    """How objects of a class hold values: whether all their attributes are searched, and their slots' descriptors."""

    all: bool
    slots: Mapping[str, Any]


@functools.lru_cache(maxsize=4096)
def _holding(kind: type) -> _Holding | None:
    """Returns how objects of a class hold values; None if they are not searched."""
    bases = [one for one in kind.__mro__ if one.__module__ != "builtins" and package_of(one) not in _HOLDERS]
    if issubclass(kind, functools.partial) or (bases and not is_users_class(bases[0]) and not is_installed(bases[0])):
        return None
    slots = {
        name: value
        for one in kind.__mro__
        if one.__module__ != "builtins"
        for name, value in vars(one).items()
        if isinstance(value, types.MemberDescriptorType) and not name.startswith("__")
    }
    return _Holding(all(is_users_class(one) or one.__module__ == "abc" for one in bases), slots)


def _parts(value: Any) -> Iterable[object]:
    """Returns what some objects of Python refer to."""
    if isinstance(value, functools.partial):
        return value.func, value.args, value.keywords
    if isinstance(value, types.MethodType):
        return value.__self__, value.__func__
    if isinstance(value, staticmethod | classmethod):
        return (value.__func__,)
    if isinstance(value, property):
        return value.fget, value.fset, value.fdel
    if isinstance(value, functools.cached_property):
        return (value.func,)
    if isinstance(value, types.BuiltinFunctionType | types.MethodWrapperType):
        return () if isinstance(value.__self__, types.ModuleType) else (value.__self__,)
    if isinstance(value, np.void):
        return (value.base,)
    if isinstance(value, memoryview):
        return (value.obj,)
    if isinstance(value, weakref.ref):
        return (value(),)
    if isinstance(value, _VIEWS):
        return gc.get_referents(value)
    return (value.__wrapped__,) if isinstance(value, _CACHED) else ()
