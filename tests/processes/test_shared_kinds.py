"""The warning of forked workers: further objects that share a file, go on in copies, or lack their threads."""

from __future__ import annotations

import codecs
import concurrent.futures
import contextlib
import csv
import http.client
import itertools
import multiprocessing.pool
import socket
import sqlite3
import subprocess
import sys
import threading
import weakref

import pytest
from test_shared_state import Source, _closure, texts_of


def _lines(file):
    first = next(file)
    yield from file
    yield first


def _callable(file):
    return iter(lambda: file.read(1), "")


# How an object goes through a file.
ITERATORS = {
    "enumerate": enumerate,
    "map": lambda file: map(len, file),
    "filter": lambda file: filter(None, file),
    "zip": lambda file: zip(range(9), file, strict=False),
    "chain": lambda file: itertools.chain(file, "a"),
    "islice": lambda file: itertools.islice(enumerate(file), 3),
    "csv": csv.reader,
    "callable": _callable,
    "list": lambda file: iter([file]),
    "values": lambda file: iter({1: file}.values()),
}


@pytest.mark.parametrize("name", ITERATORS)
def test_a_file_that_an_iterator_goes_through_is_found(name, tmp_path):
    (tmp_path / "data").write_text("a,b\n" * 20)
    with open(tmp_path / "data") as file:
        source = Source(o=ITERATORS[name](file))
        (text,) = texts_of(source)
        assert "_io.TextIOWrapper) is open" in text and " source.o.<iterated>" in text
        assert texts_of(source, workers=1) == []
    assert texts_of(source) == []


def _stream(_path):
    process = subprocess.Popen([sys.executable, "-c", "print()"], stdout=subprocess.PIPE)
    process.wait()
    return process


def _response(_path):
    ours, theirs = socket.socketpair()
    theirs.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
    theirs.close()
    response = http.client.HTTPResponse(ours)
    response.begin()
    ours.close()
    return contextlib.closing(response)


def _connection(_path):
    connection = http.client.HTTPConnection("here")
    connection.sock, theirs = socket.socketpair()
    theirs.close()
    return contextlib.closing(connection)


def _of_socket(_path):
    ours, theirs = socket.socketpair()
    theirs.close()
    with ours:
        return ours.makefile("rb")


OPEN = {
    "codecs": lambda path: codecs.open(str(path), encoding="utf-8"),
    "output of a process": _stream,
    "response": _response,
    "connection": _connection,
    "file of a socket": _of_socket,
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of codecs.open, by newer Pythons
@pytest.mark.parametrize("name", OPEN)
def test_more_objects_that_read_a_file_or_a_socket(name, tmp_path):
    (tmp_path / "data").write_text("data")
    with OPEN[name](tmp_path / "data") as one:
        source = Source(f=one)
        (text,) = texts_of(source)
        assert "is open" in text and " source.f (" in text
        assert texts_of(source, workers=1) == []
    assert texts_of(source) == []


def test_each_worker_goes_on_with_a_copy_of_a_generator(tmp_path):
    (tmp_path / "data").write_text("a\nb\nc\n")
    with open(tmp_path / "data") as file:
        for made in (_lines(file), (len(line) for line in file)):
            for source in (Source(items=made), _closure(made), Source(next=made.__next__)):
                (text,) = texts_of(source)
                assert "(a generator) is copied into the workers, and each goes on with its own" in text
            assert texts_of(Source(items=made), workers=1) == []
            assert len(list(made)) in (3, 0)
            assert texts_of(Source(items=made)) == []  # it has ended, and has let go of the file


def test_a_database_counts_until_it_is_closed():
    class Database(sqlite3.Connection):
        pass

    for kind in (sqlite3.Connection, Database):
        connection = kind(":memory:")
        sources = Source(db=connection), Source(rows=connection.execute("select 1"))
        for source, path in zip(sources, ("db", "rows.<iterated>"), strict=True):
            (text,) = texts_of(source)
            assert f" source.{path} (a" in text and "SQLite allows no connection to be used across a fork" in text
        connection.close()
        assert texts_of(*sources) == []


@pytest.mark.parametrize("kind", [concurrent.futures.ThreadPoolExecutor, multiprocessing.pool.ThreadPool])
def test_a_pool_counts_once_it_has_threads(kind):
    with kind(1) as pool:
        if kind is concurrent.futures.ThreadPoolExecutor:
            assert texts_of(Source(pool=pool)) == []
            pool.submit(int).result()
        (text,) = texts_of(Source(pool=pool), workers=1)
        assert " source.pool (a" in text and "has threads, which a fork does not inherit" in text
    assert texts_of(Source(pool=pool)) == []  # nobody can give it work any more, in no process


def test_a_generator_keeps_nothing_longer_for_having_been_looked_into():
    def held():
        lock, value = threading.Lock(), Source()
        with lock:
            yield weakref.ref(value)
            del value
            yield None

    generator = held()
    value = next(generator)
    (text,) = texts_of(Source(items=generator), workers=1)
    assert " source.items.<iterated> (a" in text and "is locked" in text
    next(generator)
    assert value() is None
