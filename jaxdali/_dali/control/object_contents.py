"""What objects hold that can change: each kind of object has a class that reads it, compares it and puts it back."""

from __future__ import annotations

import array
import collections
import io
import operator
import types
import warnings
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from jaxdali._base.interruptions import is_interruption

__all__ = ["Attributes", "Cell", "ClassAttributes", "Held", "Items", "Members", "Named", "Position", "Raw", "Sequence"]


class Held:
    """What one object holds.

    Args:
        target: the object.
        key: the key by which code names it, see `used.Used`; None if it does not, or by a local variable.

    Attributes:
        before: what it held when this was made.
    """

    def __init__(self, target: Any, key: str | None = None):
        self.target = target
        self.key = key
        self.before = self.now()

    def now(self) -> Any:
        """Returns what the object holds, which later changes of the object do not change."""
        raise NotImplementedError

    def fill(self, contents: Any) -> None:
        """Makes the object hold what `now` has returned."""
        raise NotImplementedError

    def same(self, one: Any, other: Any) -> bool:
        """Whether two contents are the same objects in the same order."""
        return len(one) == len(other) and all(map(operator.is_, one, other))


class Named(Held):
    """Values by name: contents are dictionaries.

    Attributes:
        prefix: what stands before a name in its key: nothing for variables, a dot for attributes; None for entries of
            dictionaries, which have no keys.
    """

    prefix: str | None = None

    def put(self, name: Any, value: object) -> None:
        """Sets one value."""
        raise NotImplementedError

    def drop(self, name: Any) -> None:
        """Removes one value."""
        raise NotImplementedError

    def fill(self, contents: Mapping[Any, object]) -> None:
        for name in self.now().keys() - contents.keys():
            self.drop(name)
        for name, value in contents.items():
            self.put(name, value)

    def same(self, one: Any, other: Any) -> bool:
        return super().same(list(one), list(other)) and all(map(operator.is_, one.values(), other.values()))


class Items(Named):
    """A dictionary, or those entries of one that have some names.

    Args:
        prefix: see `Named`: that of a dictionary of variables or attributes.
        owner: the class of the object whose attributes they are.
    """

    def __init__(
        self,
        target: dict[Any, Any],
        key: str | None = None,
        *,
        names: Iterable[str] | None = None,
        prefix: str | None = None,
        owner: type | None = None,
    ):
        self.prefix = prefix
        self.owner = owner
        self._names = None if names is None else frozenset(names)
        # The methods of derived classes may do other things.
        self._kind: Any = collections.OrderedDict if isinstance(target, collections.OrderedDict) else dict
        super().__init__(target, key)

    def now(self) -> dict[Any, Any]:
        items = self._kind.items(self.target)
        return dict(items) if self._names is None else {name: value for name, value in items if name in self._names}

    def put(self, name: Any, value: object) -> None:
        self._kind.__setitem__(self.target, name, value)

    def drop(self, name: Any) -> None:
        self._kind.__delitem__(self.target, name)

    def fill(self, contents: Mapping[Any, object]) -> None:
        if self._names is None:  # also in the order of the contents
            self._kind.clear(self.target)
        super().fill(contents)


class Attributes(Named):
    """The slots of an object.

    Args:
        slots: their descriptors, by name.
    """

    prefix = "."

    def __init__(self, target: Any, slots: Mapping[str, Any]):
        self._slots = slots
        super().__init__(target)

    def now(self) -> dict[Any, Any]:
        found = {}
        for name, slot in self._slots.items():
            try:
                found[name] = slot.__get__(self.target)
            except AttributeError:  # it has no value
                continue
        return found

    def put(self, name: str, value: object) -> None:
        self._slots[name].__set__(self.target, value)

    def drop(self, name: str) -> None:
        self._slots[name].__delete__(self.target)


class ClassAttributes(Named):
    """Attributes of a class itself, not those that it inherits."""

    prefix = "."

    def __init__(self, target: type, names: Iterable[str]):
        self._names = tuple(names)
        super().__init__(target)

    def now(self) -> dict[Any, Any]:
        return {name: vars(self.target)[name] for name in self._names if name in vars(self.target)}

    def put(self, name: str, value: object) -> None:
        type.__setattr__(self.target, name, value)

    def drop(self, name: str) -> None:
        type.__delattr__(self.target, name)


class Cell(Named):
    """A variable of an enclosing function, under its name."""

    prefix = ""

    def __init__(self, target: types.CellType, name: str):
        self._name = name
        super().__init__(target)

    def now(self) -> dict[Any, Any]:
        try:
            return {self._name: self.target.cell_contents}
        except ValueError:  # it has no value yet
            return {}

    def put(self, name: str, value: object) -> None:
        self.target.cell_contents = value

    def drop(self, name: str) -> None:
        del self.target.cell_contents


class Sequence(Held):
    """A list, a deque or an array of objects: contents are tuples."""

    def __init__(self, target: Any, key: str | None = None):
        self._kind: Any = list if isinstance(target, list) else collections.deque
        super().__init__(target, key)

    def now(self) -> tuple[Any, ...]:
        if isinstance(self.target, np.ndarray):
            return tuple(self.target[index] for index in np.ndindex(self.target.shape))
        return tuple(self._kind.__iter__(self.target))

    def fill(self, contents: Any) -> None:
        if isinstance(self.target, np.ndarray):
            for index, value in zip(np.ndindex(self.target.shape), contents, strict=True):
                self.target[index] = value
            return
        self._kind.clear(self.target)
        self._kind.extend(self.target, contents)


class Members(Held):
    """A set."""

    def now(self) -> frozenset[Any]:
        return frozenset(set.__iter__(self.target))

    def fill(self, contents: Any) -> None:
        set.clear(self.target)
        set.update(self.target, contents)

    def same(self, one: Any, other: Any) -> bool:
        return bool(one == other)


# Larger arrays are compared by their checksum, and cannot be put back.
_MOST_COPIED = 1 << 20


class Raw(Held):
    """Numbers or text: arrays, `bytearray`, `array.array`, and files in memory."""

    def now(self) -> Any:
        if isinstance(self.target, np.ndarray):
            if self.target.nbytes > _MOST_COPIED:
                return zlib.crc32(np.ascontiguousarray(self.target).reshape(-1).view(np.uint8).data)
            return self.target.copy()
        if isinstance(self.target, io.StringIO | io.BytesIO):
            return None if self.target.closed else (self.target.getvalue(), self.target.tell())
        return (
            bytes(self.target) if isinstance(self.target, bytearray) else array.array(self.target.typecode, self.target)
        )

    def fill(self, contents: Any) -> None:
        if isinstance(self.target, np.ndarray):
            if not isinstance(contents, np.ndarray) or not self.target.flags.writeable:
                return
            if self.target.shape != contents.shape and self.target.size == contents.size:
                with warnings.catch_warnings():  # NumPy would rather have a new view, but this is the array itself
                    warnings.simplefilter("ignore", DeprecationWarning)
                    self.target.shape = contents.shape
            if self.target.shape == contents.shape:
                self.target[...] = contents
        elif isinstance(self.target, io.StringIO | io.BytesIO):
            if contents is not None and not self.target.closed:
                self.target.seek(0)
                self.target.truncate()
                self.target.write(contents[0])  # type: ignore[arg-type]
                self.target.seek(contents[1])
        else:
            self.target[:] = contents

    def same(self, one: Any, other: Any) -> bool:
        if isinstance(one, np.ndarray):
            return one.shape == other.shape and one.dtype == other.dtype and one.tobytes() == other.tobytes()
        return bool(one == other)


class Position(Held):
    """Where an iterator, a generator or a file that is read stands. It cannot be put back."""

    def now(self) -> Any:
        return _position_of(self.target)

    def fill(self, contents: Any) -> None:
        """Does nothing: a branch that moves it is refused."""

    def same(self, one: Any, other: Any) -> bool:
        return bool(one == other)


def _position_of(value: Any) -> Any:
    """Returns what tells where an iterator or a file stands, without moving it; None if it does not tell."""
    if isinstance(value, types.GeneratorType):
        frame = value.gi_frame
        return None if frame is None else (frame.f_lasti, tuple(map(id, frame.f_locals.values())))
    if isinstance(value, io.IOBase):
        try:
            return None if value.closed else value.tell()
        except (OSError, ValueError) as error:  # a pipe, or a file that is being iterated over
            if is_interruption(error):
                raise
            return None
    hint = getattr(value, "__length_hint__", None)
    if hint is not None:
        return hint()
    with warnings.catch_warnings():  # itertools say that they will not be copied for ever
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            return _flat(value.__reduce__())
        except TypeError:
            return None


def _flat(value: Any) -> Any:
    """Returns something that compares equal while a value holds the same."""
    if isinstance(value, tuple):
        return tuple(map(_flat, value))
    return value if isinstance(value, int | str | bytes) else id(value)
