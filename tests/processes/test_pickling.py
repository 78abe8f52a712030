"""How sources get to fresh interpreters: what travels, with which pickler, and the errors for what cannot travel."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import pickle
import socket
import sys
import threading
import types

import cloudpickle
import numpy as np
import pickling_programs
import pytest
from case_names import plain
from hypothesis import given
from hypothesis import strategies as st
from processes import run_program

from jaxdali._feed.processes import unpicklable
from jaxdali._feed.processes.payload import write_payload
from jaxdali._feed.processes.pickler import SourcePickler
from jaxdali._feed.processes.source_loading import PayloadReader
from jaxdali._feed.processes.unpicklable import find_culprit
from jaxdali._feed.source.source_kinds import CallableSource
from jaxdali.errors import ConfigError
from jaxdali.pickling import pickle_by_value

# PICKLERS


class Counting:
    """A user's serializer, whose output shows the arguments that it got."""

    def __init__(self):
        self.dumped = []

    def dumps(self, value, prefix=b"", protocol=5):
        self.dumped.append(value)
        return prefix + pickle.dumps(value, protocol)

    def loads(self, data, skip=0):
        return pickle.loads(data[skip:])


def wrap(user):
    """Makes a source of any object, as the front end would."""
    source = object.__new__(CallableSource)
    source.function, source.num_outputs, source.description = user, None, "the user's function"
    return source


@contextlib.contextmanager
def payload(sources, pickler=None, shared=None):
    """Yields a reader of a written payload, and the payload's size."""
    fd = write_payload(shared, [wrap(source) for source in sources], SourcePickler.from_argument(pickler))
    try:
        yield PayloadReader(fd, 8 + int.from_bytes(os.pread(fd, 8, 0), "little")), os.fstat(fd).st_size
    finally:
        os.close(fd)


@pytest.mark.parametrize(
    "pickler",
    [
        None,
        pickle,
        cloudpickle,
        Counting(),
        (pickle,),
        (pickle, {"protocol": 2}),
        [pickle, {"protocol": 2}],
        (pickle, None, {"encoding": "bytes"}),
        (Counting(), {"prefix": b"1234"}, {"skip": 4}),
    ],
    ids=plain,
)
def test_every_form_of_pickler_brings_sources_over(pickler):
    with payload([len, os.path.join], pickler, {"a": 1}) as (reader, _):
        assert reader.shared == {"a": 1}
        assert [source.function for source in reader.sources()] == [len, os.path.join]
        assert reader.descriptions == ["the user's function"] * 2


@pytest.mark.parametrize(
    ("pickler", "words"),
    [
        (3, "3 has no dumps"),
        (json_like := types.SimpleNamespace(dumps=pickle.dumps), "has no loads"),
        ((), "got a tuple of 0"),
        ((pickle, {}, {}, {}), "got a tuple of 4"),
        ((pickle, 5), "arguments for dumps are 5, not a dict"),
        ((pickle, {}, [1]), r"arguments for loads are \[1\]"),
        ((json_like,), "has no loads"),
    ],
)
def test_what_is_no_pickler_is_refused(pickler, words):
    with pytest.raises(ConfigError, match=f"py_callback_pickler must be .*{words}"):
        SourcePickler.from_argument(pickler)


def test_a_pickler_that_cannot_travel_is_refused():
    pickler = Counting()
    pickler.lock = threading.Lock()
    with (
        pytest.raises(ConfigError, match=r"py_callback_pickler .* cannot be sent to a fresh worker"),
        payload([], pickler),
    ):
        pass


def test_a_pickler_must_make_bytes():
    text = types.SimpleNamespace(dumps=repr, loads=eval)
    with pytest.raises(ConfigError, match="returned str, not bytes"), payload([1], text):
        pass


class State:
    """Fifty megabytes; counts how often they are pickled."""

    taken = 0

    def __init__(self):
        self.data = np.ones(50_000_000, np.uint8)

    def __getstate__(self):
        type(self).taken += 1
        return vars(self)

    def __call__(self, info):
        return self.data[:3]


@pytest.mark.parametrize("pickler", [None, pickle])
def test_the_state_of_a_source_is_written_once(pickler):
    State.taken = 0
    with payload([State()], pickler) as (reader, size):
        assert size < 50_100_000
        (source,) = reader.sources()
    assert State.taken == 1 and source.function.data.sum() == 50_000_000


def test_what_sources_share_is_written_once_and_stays_shared():
    data = np.ones(1_000_000, np.uint8)
    sources = [functools.partial(np.take, data), functools.partial(np.sum, data)]
    with payload(sources) as (reader, size):
        assert size < 1_100_000
        first, second = reader.sources()
    assert first.function.args[0] is second.function.args[0]


def test_a_pickler_is_asked_once_a_source():
    pickler = Counting()
    with payload([len, print], pickler):
        assert [source.function for source in pickler.dumped] == [len, print]


@pytest.mark.parametrize("start_method", ["spawn", "forkserver"])
def test_state_is_taken_out_once_for_all_workers_and_the_pickler_is_the_users(start_method):
    assert run_program(pickling_programs.state, start_method) == {
        "dumps": 1,
        "dumped with": [{"level": 3}],
        "loaded with": ["more"],
    }


# WHAT CANNOT BE PICKLED


class Holder:
    def __init__(self, **attributes):
        self.__dict__.update(attributes)


class Slotted:
    __slots__ = ("inner", "unset")

    def __init__(self, inner):
        self.inner = inner


class LeavesOut(Holder):
    def __getstate__(self):
        return {name: value for name, value in vars(self).items() if name != "hidden"}


class Listing(list):
    pass


LOCK = threading.Lock()


def uses_a_global():
    return LOCK


def by_value(function):
    """Pickles a function by value; cloudpickle pickles functions of importable modules by reference."""
    return pickle_by_value(types.FunctionType(function.__code__, function.__globals__, function.__name__))


def closure_over(value):
    def closure():
        return value

    return closure


def generator():
    yield 1


LEAVES = {
    "_thread.lock": threading.Lock,
    "_io.BufferedReader": lambda: open(os.devnull, "rb"),
    "generator": generator,
    "socket.socket": socket.socket,
}
WRAPPERS = {
    "": lambda leaf: leaf,
    ".reader": lambda leaf: Holder(fine=1, reader=leaf),
    ".inner": Slotted,
    "[1]": lambda leaf: [1, leaf],
    "['k']": lambda leaf: {"k": leaf},
    ".<closure>.value": closure_over,
    ".args[1]": lambda leaf: functools.partial(print, 1, leaf),
    ".keywords['end']": lambda leaf: functools.partial(print, end=leaf),
    ".kept": lambda leaf: LeavesOut(hidden=threading.Lock(), kept=leaf),
    "[0]": lambda leaf: Listing([leaf]),
}


@given(st.sampled_from(sorted(LEAVES)), st.lists(st.sampled_from(sorted(WRAPPERS)), max_size=4))
def test_the_part_that_is_to_blame_is_named(kind, wrappers):
    value = leaf = LEAVES[kind]()
    for name in wrappers:
        value = WRAPPERS[name](value)
    try:
        with pytest.raises(ConfigError) as caught, payload([lambda: value]):
            pass
    finally:
        leaf.close() if hasattr(leaf, "close") else None
    assert f": source.<closure>.value{''.join(reversed(wrappers))} (a {kind}) cannot be pickled" in str(caught.value)


@pytest.mark.parametrize(
    ("source", "path"),
    [
        (by_value(uses_a_global), "source.<global>.LOCK (a _thread.lock)"),
        (Holder(call=by_value(uses_a_global)).call, "source.<global>.LOCK"),
        (types.MethodType(print, Holder(lock=LOCK)), "source.__self__.lock (a _thread.lock)"),
        (functools.partial(iter, Holder(lock=LOCK)), ": source.lock (a _thread.lock)"),
        ({LOCK: 1}, "source.<key <unlocked"),
        ({LOCK}, "source.<element> (a _thread.lock)"),
        (type("Local", (), {"__module__": "__main__", "lock": LOCK})(), "source.__class__.lock (a _thread.lock)"),
    ],
    ids=plain,
)
def test_functions_methods_and_classes_are_looked_through(source, path):
    with pytest.raises(ConfigError) as caught, payload([source]):
        pass
    assert path in str(caught.value)
    assert 'py_start_method="fork"' in str(caught.value)


def test_who_only_refers_to_the_culprits_owner_is_not_blamed():
    source = Holder(a=Holder())
    source.a.owner = source
    source.z = LOCK
    with pytest.raises(ConfigError, match=r"source\.z \(a _thread.lock\)"), payload([source]):
        pass


def test_a_pickler_by_reference_blames_the_function_itself():
    with pytest.raises(ConfigError, match=r"source \(a function\)") as caught, payload([closure_over(LOCK)], pickle):
        pass
    assert "leave py_callback_pickler out" in str(caught.value)


def test_the_search_ends_in_time(monkeypatch):
    deep = LOCK
    for _ in range(30):
        deep = [deep]

    now = 0.0

    def slowly(value):
        nonlocal now
        now += 0.01
        return pickle.dumps(value)

    monkeypatch.setattr(unpicklable, "time", types.SimpleNamespace(monotonic=lambda: now))
    culprit = find_culprit(deep, TypeError(), slowly, limit_s=0.1)
    assert 0.1 < now < 0.12
    assert culprit.path.startswith("source[0][0]")


def test_circles_and_endless_nesting_come_to_an_end():
    nested = LOCK
    for _ in range(200):
        nested = [nested]
    assert find_culprit(nested, TypeError(), pickle.dumps).path.count("[0]") == 32
    circle = []
    circle.extend([circle, circle])

    def never(value):
        raise TypeError("no")

    assert find_culprit(circle, TypeError(), never).value is circle


@pytest.mark.parametrize("start_method", ["spawn", "forkserver"])
@pytest.mark.parametrize("what", ["module", "name"])
def test_what_only_the_parent_has_is_named_with_what_to_do(start_method, what):
    text = run_program(pickling_programs.only_in_the_parent, start_method, what)
    assert "could not load the source" in text and "parent_only" in text
    for advice in ("pickle_by_value", "sys.path", "install"):
        assert advice in text


# PICKLE_BY_VALUE


def test_pickle_by_value_sends_a_function_of_a_module_that_workers_lack(tmp_path, monkeypatch):
    (tmp_path / "by_value_only.py").write_text("def f(): return 7\n")
    monkeypatch.syspath_prepend(tmp_path)
    function = pickle_by_value(importlib.import_module("by_value_only").f)
    data = cloudpickle.dumps(function)
    monkeypatch.delitem(sys.modules, "by_value_only")
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry != str(tmp_path)])
    assert pickle.loads(data)() == 7
    with pytest.raises(TypeError, match="Only functions can be explicitly set to be pickled by value"):
        pickle_by_value(Holder)
