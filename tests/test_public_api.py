"""The line between what users may import and what may change: the doors' names, and what Python's tools make of them."""

from __future__ import annotations

import difflib
import doctest
import importlib
import inspect
import pickle
import re
import sys
import typing

import pytest
from public_api import SNAPSHOT, doors, lines, public_objects

import jaxdali
from jaxdali._base.public_names import public_name

# Classes that are defined in a file: those of `ops` are made of declarations.
CLASSES = {
    name: thing
    for name, thing in public_objects()
    if isinstance(thing, type) and not name.startswith("jaxdali.ops.") and thing.__module__.startswith("jaxdali.")
}
EXAMPLES = 86


def test_the_public_names_are_those_of_the_snapshot():
    diff = difflib.unified_diff(SNAPSHOT.read_text().splitlines(), lines(), "before", "now", n=0, lineterm="")
    assert not (found := "\n".join(diff)), (
        f"{found}\nIf users should see that, write it into CHANGELOG.md, and run python tests/support/public_api.py"
    )


def test_the_snapshot_sees_a_name_and_a_default_that_change(monkeypatch):
    before = lines()
    monkeypatch.setattr(
        jaxdali.image.resize, "__kwdefaults__", {**(jaxdali.image.resize.__kwdefaults__ or {}), "dtype": 7}
    )
    monkeypatch.setattr(jaxdali.numeric, "__all__", jaxdali.numeric.__all__[1:])
    public_objects.cache_clear()
    try:
        changed = {*before} ^ {*lines()}
    finally:
        monkeypatch.undo()
        public_objects.cache_clear()
    assert any("numeric" in line for line in changed) and any("image.resize" in line for line in changed)


def test_the_doors_are_those_of_the_readme():
    assert {
        "jaxdali.source",
        "jaxdali.image",
        "jaxdali.fn.experimental.readers",
        "jaxdali.plugin.jax.clu",
    } <= doors().keys()
    assert len(CLASSES) > 60


@pytest.mark.parametrize("name", CLASSES)
def test_python_finds_the_source_and_the_types_of_a_class(name):
    cls = CLASSES[name]
    assert re.search(rf"class {cls.__name__}\b|{cls.__name__} = ", inspect.getsource(cls)), "what IPython's ?? shows"
    typing.get_type_hints(cls)
    for function in vars(cls).values():
        # What dataclasses make has no source.
        if inspect.isfunction(function) and function.__code__.co_filename == sys.modules[cls.__module__].__file__:
            assert inspect.getsource(function)
            typing.get_type_hints(function)
    assert pickle.loads(pickle.dumps(cls)) is cls


def test_messages_name_a_class_as_it_is_imported():
    for cls in CLASSES.values():
        door, _, name = public_name(cls).rpartition(".")
        assert getattr(importlib.import_module(door), name) is cls
    assert public_name(int) == "int" and public_name(re.Pattern) == "re.Pattern"


def test_what_users_read_names_doors_only():
    """Docstrings of what they may use, since what lies behind the doors moves."""
    found = []
    for name, thing in public_objects():
        texts = {name: inspect.getdoc(thing)} if callable(thing) else {}
        if isinstance(thing, type) and thing.__module__.startswith("jaxdali."):
            members = {member: value for member, value in vars(thing).items() if not member.startswith("_")}
            texts |= {f"{name}.{member}": inspect.getdoc(value) for member, value in members.items() if callable(value)}
        found += [
            f"{where}: {one}" for where, text in texts.items() for one in re.findall(r"jaxdali\._[\w.]+", text or "")
        ]
    for name, door in doors().items():
        found += [f"{name}: {one}" for one in re.findall(r"jaxdali\._[\w.]+", door.__doc__)]
    assert found == []


def examples() -> dict[str, doctest.DocTest]:
    """The docstrings with examples of public functions and classes. doctest itself looks only at what a module defines."""
    finder, found = doctest.DocTestFinder(recurse=True), {}
    for name, thing in public_objects():
        if callable(thing) and (getattr(thing, "__module__", "") or "").startswith("jaxdali._"):
            module = sys.modules[thing.__module__]
            found |= {test.docstring: test for test in finder.find(thing, name, module=module) if test.examples}
    return {test.name: test for test in found.values()}


def test_the_examples_are_found():
    assert len(examples()) == EXAMPLES, "after adding an example, write their number here"


@pytest.mark.parametrize("name", examples())
def test_an_example_gives_what_it_says(name):
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    out: list[str] = []
    results = doctest.DocTestRunner(optionflags=options).run(examples()[name], out=out.append)
    assert results.failed == 0, "".join(out)
