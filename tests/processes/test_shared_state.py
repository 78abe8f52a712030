"""The warning of forked workers that share open files, or find locks held."""

from __future__ import annotations

import asyncio
import bz2
import collections
import contextlib
import functools
import gzip
import io
import logging
import lzma
import mmap
import multiprocessing
import queue
import socket
import sys
import tarfile
import tempfile
import threading
import time
import types
import warnings
import zipfile

import numpy as np
import pytest
import shared_programs
from processes import SOON_S, run_program
from tiers import gate

from jaxdali._feed.processes.shared_state import warn_of_shared_state
from jaxdali._feed.source.iterables import IterableSource
from jaxdali._feed.source.source_kinds import CallableSource

GLOBAL: list = []  # filled by a test


def texts_of(*sources, workers=4):
    """Returns the warnings about sources that are about to be forked."""
    served = [
        types.SimpleNamespace(source=one if hasattr(one, "divides") else CallableSource(one, None)) for one in sources
    ]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_of_shared_state(served, workers)
    assert all(one.category is UserWarning and one.filename == __file__ for one in caught)
    return [str(one.message) for one in caught]


class Source:
    """A class of a module: pickled by reference, its objects by their attributes."""

    def __init__(self, **attributes):
        vars(self).update(attributes)

    def __call__(self, info):
        return np.zeros(1)

    def method(self, info):
        return np.zeros(1)


class Slots:
    __slots__ = ("empty", "held")

    def __init__(self, held):
        self.held = held

    def __call__(self, info):
        return np.zeros(1)


def _closure(held):
    return lambda info: held


def _default(held):
    return Source(call=lambda info, *, held=held: held)


def _global(held):
    GLOBAL[:] = [held]
    return lambda info: GLOBAL


def _of_class(held):
    class Local:
        kept = held

        def __call__(self, info):
            return np.zeros(1)

    return Local()


def _in_method(held):
    class Local:
        def __call__(self, info):
            return held

    return Local()


class Reopens:
    """Pickles, and opens its file again; but a fork asks nobody."""

    def __init__(self, file):
        self.file = file

    def __getstate__(self):
        return {}


# How a source may hold something, and what the warning calls that.
HOLDERS = {
    "attribute": (lambda held: Source(f=held), "source.f"),
    "nested": (lambda held: Source(reader=Source(f=held)), "source.reader.f"),
    "slot": (Slots, "source.held"),
    "left out by __getstate__": (lambda held: Source(reader=Reopens(held)), "source.reader.file"),
    "slot below": (lambda held: Source(reader=Slots(held)), "source.reader.held"),
    "closure": (_closure, "source.<closure>.held"),
    "default": (_default, "source.call.__kwdefaults__['held']"),
    "global": (_global, "source.<global>.GLOBAL[0]"),
    "class": (_of_class, "source.__class__.kept"),
    "method of class": (_in_method, "source.__class__.__call__.<closure>.held"),
    "list": (lambda held: Source(files=[1, held]), "source.files[1]"),
    "dict": (lambda held: Source(files={"a": held}), "source.files['a']"),
    "default dict": (lambda held: Source(files=collections.defaultdict(list, a=(held,))), "source.files['a'][0]"),
    "deque": (lambda held: Source(files=collections.deque([held])), "source.files[0]"),
    "bound method": (lambda held: Source(f=held).method, "source.__self__.f"),
    "method of a file": (lambda held: Source(close=held.__exit__), "source.close.__self__"),
    "partial": (lambda held: functools.partial(lambda info, f: f, f=held), "source.keywords['f']"),
    "partial's argument": (lambda held: functools.partial(lambda f, info: f, held), "source.args[0]"),
    "function of a partial": (lambda held: functools.partial(Source(f=held)), "source.func.f"),
}


@pytest.mark.parametrize("name", HOLDERS)
def test_an_open_file_is_found_wherever_a_source_holds_it(name, tmp_path):
    (tmp_path / "data").write_bytes(bytes(10))
    make, path = HOLDERS[name]
    with open(tmp_path / "data", "rb", buffering=0) as file:
        (text,) = texts_of(make(file))
    assert f"given to 4 forked worker(s): {path} (a" in text and "_io.FileIO) is open" in text
    assert "share the one position" in text and "at the first call of the source" in text


def _zip_file(path, _mode="r"):
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("name", "text")
    return zipfile.ZipFile(path)


def _tar_file(path):
    with tarfile.open(path, "w:gz") as file:
        file.addfile(tarfile.TarInfo("name"))
    return tarfile.open(path)


class _OfUsers(io.RawIOBase):
    """A file of a class of the user's, as libraries of file systems have them; nothing may be asked of it."""

    def __init__(self, file):
        self.file = file

    def fileno(self):
        raise AssertionError

    def close(self):
        self.file.close()


def _written(module):
    def make(path):
        with module.open(path, "wb") as file:
            file.write(b"data")
        return module.open(path, "rb")

    return make


def _plain(*arguments, **options):
    def make(path):
        path.write_bytes(bytes(10))
        return open(path, *arguments, **options)

    return make


def _socket(_path):
    ours, theirs = socket.socketpair()
    theirs.close()
    return ours


OPEN = {
    "text": _plain(),
    "binary": _plain("rb"),
    "raw": _plain("rb", buffering=0),
    "gzip": _written(gzip),
    "gzip's text": lambda path: io.TextIOWrapper(_written(gzip)(path)),
    "bz2": _written(bz2),
    "lzma": _written(lzma),
    "zip": _zip_file,
    "tar": _tar_file,
    "of users": lambda path: _OfUsers(_plain("rb")(path)),
    "socket": _socket,
}


@pytest.mark.parametrize("name", OPEN)
def test_every_kind_of_open_file_counts_until_it_is_closed_and_only_if_several_workers_read_it(name, tmp_path):
    with OPEN[name](tmp_path / "data") as file:
        source = Source(f=file)
        (text,) = texts_of(source)
        assert "is open" in text and " source.f" in text
        assert texts_of(source, workers=1) == [] and texts_of(_iterable(file)) == []
    assert texts_of(source) == []


def _iterable(file):
    """One worker alone runs it, however many there are."""
    return IterableSource(functools.partial(iter, Source(f=file)), None)


def _held_by_a_thread(lock):
    """Returns the lock, which another thread has; and what ends that."""
    release = threading.Event()
    taken = threading.Event()

    def hold():
        with lock:
            taken.set()
            release.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait()
    return lambda: (release.set(), thread.join())


LOCKS = {
    "Lock": threading.Lock,
    "RLock": threading.RLock,
}


@pytest.mark.parametrize("by_thread", [False, True])
@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_counts_only_while_it_is_held(name, by_thread):
    lock = LOCKS[name]()
    sources = [make(lock) for make in (_closure, Slots, lambda held: Source(a=[Source(lock=held)]))]
    for source in sources:
        assert texts_of(source) == []
    end = _held_by_a_thread(lock) if by_thread else (lock.acquire(), lock.release)[1]
    for source, path in zip(sources, ("source.<closure>.held", "source.held", "source.a[0].lock"), strict=True):
        (text,) = texts_of(source, workers=1)
        assert f" {path} (a" in text and "is locked, and stays so in the workers" in text
    end()
    for source in sources:
        assert texts_of(source) == []


@pytest.mark.parametrize("kind", ["Lock", "RLock"])
def test_another_process_may_unlock_a_lock_of_processes(kind):
    lock = getattr(multiprocessing.get_context("fork"), kind)()
    with lock:
        assert texts_of(Source(lock=lock)) == [] and texts_of(_closure(lock)) == []


def _both_ways(path):
    path.write_bytes(bytes(10))
    for mode in ("r+", "r+b", "w+", "w+b", "a+", "x+"):
        if mode[0] == "x":
            path.unlink()
        yield open(path, mode)
    yield io.FileIO(path, "w+")
    yield tempfile.NamedTemporaryFile(dir=path.parent)
    yield tempfile.TemporaryFile(dir=path.parent)


def test_who_writes_a_file_too_is_not_told_that_it_is_one_for_all(tmp_path):
    for file in _both_ways(tmp_path / "data"):
        with file:
            assert texts_of(Source(f=file)) == [], file


# How a source keeps a file beside its memory map.
BESIDE_A_MAP = {
    "attributes": lambda file, mapped: Source(f=file, m=mapped),
    "lists": lambda file, mapped: Source(files=[file], maps=[mapped]),
    "dict": lambda file, mapped: Source(both={"f": file, "m": mapped}),
    "closure": lambda file, mapped: lambda info: (file, mapped),
    "deeper": lambda file, mapped: Source(reader=Source(f=file, m=mapped)),
}


@pytest.mark.parametrize("name", BESIDE_A_MAP)
def test_a_file_beside_its_memory_map_is_not_read(name, tmp_path):
    (tmp_path / "data").write_bytes(bytes(10))
    with open(tmp_path / "data", "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        for one in (mapped, np.memmap(tmp_path / "data", mode="r")):
            assert texts_of(BESIDE_A_MAP[name](file, one)) == []
            assert len(texts_of(Source(m=one, reader=Source(f=file)))) == 1  # another object's file


class _Loop(asyncio.SelectorEventLoop):
    pass


def test_sockets_of_the_standard_library_are_not_the_users():
    for loop in (asyncio.new_event_loop(), _Loop()):
        assert texts_of(Source(loop=loop)) == [] and texts_of(_closure(loop)) == []
        loop.close()


def test_what_everybody_has_is_no_reason_to_warn(tmp_path):
    (tmp_path / "data").write_bytes(bytes(10))
    condition, stopped = threading.Condition(), threading.Event()
    thread = threading.Thread(target=stopped.wait)
    thread.start()
    logger = logging.getLogger("of this test")
    handler = logging.FileHandler(tmp_path / "log")
    logger.addHandler(handler)
    with contextlib.ExitStack() as files:
        readable, random = (files.enter_context(open(path, "rb")) for path in (tmp_path / "data", "/dev/urandom"))
        written = files.enter_context(open(tmp_path / "written", "w"))
        innocent = [
            *(sys.stdin, sys.stdout, sys.stderr, sys.__stdout__, io.BytesIO(b"data"), io.StringIO("text")),
            *(written, random, logger, handler, logging.LoggerAdapter(logger), print, sys.stdout.write),
            *(condition, stopped, thread, queue.Queue(), threading.Semaphore(), threading.local()),
            *(np.arange(10), np.random.default_rng(), np.array([None])),
            *(tmp_path, Source, types, None, iter([1]), object()),
        ]
        for one in innocent:
            assert texts_of(Source(held=one)) == [], one
        assert texts_of(*(Source(held=one) for one in innocent), _closure, Source(held=innocent)) == []
        # Functions and classes of modules are pickled by name, whatever their globals are.
        GLOBAL[:] = [readable]
        assert texts_of(uses_a_global) == []
        (text,) = texts_of(Source(held=innocent), Source(f=readable), Source(g=readable))  # one warning for all
        assert " source.f " in text
    stopped.set()
    thread.join()
    handler.close()


def uses_a_global(info):
    return GLOBAL


class Raises:
    """Nothing may be asked of it."""

    __slots__ = ()

    def __getattr__(self, name):
        raise KeyError(name)

    @property
    def __class__(self):
        raise OSError


def test_a_search_is_short_and_survives_what_it_finds(tmp_path):
    (tmp_path / "data").write_bytes(bytes(10))
    circle: list = [Raises()]
    circle.append(circle)
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    large = {number: [number] for number in range(300_000)}
    with open(tmp_path / "data", "rb") as file:
        (text,) = texts_of(Source(a=circle, b=[[number] for number in range(2000)], c=large, d=deep, f=file))
        assert " source.f " in text
        start = time.perf_counter()
        texts_of(*[Source(c=[large] * 3, d=deep, e=np.zeros(1 << 20)) for _ in range(5)])
        assert time.perf_counter() - start < SOON_S


@pytest.mark.parametrize("name", gate(["file", "lock", "one_worker"], ["file"]))
def test_a_pool_of_forked_workers_warns_once_where_the_program_starts_it(name, tmp_path):
    seen = run_program(shared_programs.forked, name, str(tmp_path))
    expected = {"file": "source.f (a _io.FileIO) is open", "lock": "source.lock (a _thread.lock) is locked"}
    if name not in expected:
        assert seen["warnings"] == []
    else:
        ((text, category, file),) = seen["warnings"]
        assert (
            expected[name] in text and category == "UserWarning" and file == "process_programs.py"
        )  # the caller of run()
