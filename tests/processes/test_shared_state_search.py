"""The search for what forked workers would share runs no code of the user's."""

from __future__ import annotations

import abc
import collections
import io
import tempfile
import time

from processes import SOON_S
from test_shared_state import Source, texts_of

ASKED: list[str] = []


def _asked(*names):
    """Returns methods that note that somebody has called them."""

    def make(name):
        def method(self, *arguments):
            ASKED.append(name)
            raise OSError(name)

        return method

    return {name: make(name) for name in names}


_METHODS = (
    "__getattr__",
    "__iter__",
    "__len__",
    "__eq__",
    "__hash__",
    "__repr__",
    "__bool__",
    "__format__",
    "__getitem__",
)
_MORE = ("__class__", "__dict__", "fileno", "closed", "items", "values")
# Types are asked for their names by whoever defines a class, so these are put in later.
_OF_TYPES = ("__getattribute__", "__eq__", "__hash__", "__repr__", "__instancecheck__", "__subclasscheck__", "mro")


class _Meta(abc.ABCMeta):
    pass


def _jealous(*bases, slots=False):
    """Returns a class whose objects, and which itself, may be asked for nothing."""
    names = {"__slots__": ()} if slots else {}
    for name, method in _asked(*_METHODS, *_MORE).items():
        names[name] = method if name in _METHODS else property(method)
    return _Meta("Jealous", bases, names)


def test_no_code_of_the_users_runs_in_a_search(tmp_path):
    (tmp_path / "data").write_bytes(bytes(10))
    jealous = [
        _jealous()(),
        _jealous(slots=True)(),
        *(_jealous(base)() for base in (dict, list, tuple, set, frozenset, collections.deque, io.RawIOBase, str)),
    ]
    for name, method in _asked(*_OF_TYPES).items():
        setattr(_Meta, name, method)
    with open(tmp_path / "data", "rb") as file:
        dict.__setitem__(jealous[2], "a", file)
        held = {index: one for index, one in enumerate(jealous)}
        ASKED.clear()
        texts = texts_of(Source(a=jealous, b=held, c=lambda info: jealous))
    assert ASKED == []
    assert len(texts) == 1 and " source.a[2]['a'] (a _io.BufferedReader) is open" in texts[0]


def test_a_lazy_object_is_not_made_and_no_file_is_moved_to_the_disk():
    made = []

    class Lazy:
        def __getattr__(self, name):
            made.append(name)
            raise AttributeError(name)

        __class__ = property(lambda self: made.append("__class__") or int)
        __dict__ = property(lambda self: made.append("__dict__") or {})

    with tempfile.SpooledTemporaryFile(max_size=1 << 20) as spooled:
        spooled.write(b"data")
        assert texts_of(Source(f=spooled, lazy=Lazy(), cls=Lazy)) == []
        assert not spooled._rolled and made == []


class _SlowKey:
    def __repr__(self):
        time.sleep(SOON_S)
        return "slow"


def test_keys_are_not_made_text(tmp_path):
    (tmp_path / "data").write_bytes(bytes(10))
    start = time.perf_counter()
    with open(tmp_path / "data", "rb") as file:
        (text,) = texts_of(Source(files={_SlowKey(): index for index in [[1], [2], file]}))
    assert " source.files[<_SlowKey>] " in text and time.perf_counter() - start < SOON_S
