"""Docstrings are laid out as they are meant: no argument is lost in another's text. docstring_rules.py has the rules."""

from __future__ import annotations

import inspect
import pathlib
import textwrap
from collections.abc import Callable, Iterator

import house_rules
import pytest
from docstring_rules import argument_faults, docstring_faults
from public_api import public_objects

import jaxdali

# The suite also runs outside of the repository, on an installed wheel.
PACKAGE = pathlib.Path(jaxdali.__file__).parent
FOLDERS = [PACKAGE, *(house_rules.ROOT / name for name in ("tests", "examples", "benchmarks", "docs"))]
FILES = [path for folder in FOLDERS for path in sorted(folder.rglob("*.py*")) if path.suffix in (".py", ".pyi")]


def faults_of(docstring: str, head: str) -> list[str]:
    """The faults of a docstring below a line that begins a function or class."""
    text = textwrap.indent(f'"""{docstring}\n"""', "    ")
    return docstring_faults(f"{head}\n{text}\n    def __init__(self, size): ...\n", "a.py")


def test_docstrings_are_laid_out_as_they_are_meant():
    assert pathlib.Path(__file__).resolve() in FILES and PACKAGE / "fn/__init__.pyi" in FILES
    faults = [fault for path in FILES for fault in docstring_faults(path.read_text(), str(path))]
    assert not faults, "\n".join(faults)


FUNCTION, CLASS = "def f(a, b, *rest, origin=0):", "class C:"


@pytest.mark.parametrize(
    ("docstring", "head", "expected"),
    [
        ("Raises:\n    ValueError: it is bad.", FUNCTION, "begins with a section"),
        ("It.\n\nRaises:\nValueError: it is bad.", FUNCTION, "without indented lines"),
        ("It.\n\nReturns:", FUNCTION, "without indented lines"),
        ("It.\n\n    Args:\n        a: text.", FUNCTION, "a section that is indented"),
        ("It.\n\nArgs:\n    a: text that\ngoes on.", FUNCTION, "is indented neither as"),
        ("It.\n\nArgs:\n    a: text.\n  b: text.", FUNCTION, "is indented neither as"),
        ("It.\n\nArgs:\n    a: text.\n      b: text.", FUNCTION, "is indented neither as"),
        ("It.\n\nReturns:\n    text that\ngoes on.", FUNCTION, "is indented neither as"),
        ("It.\n\nArgs:\n    a: text that\n    goes on.", FUNCTION, "no `name: text` of Args"),
        ("It.\n\nArgs:\n    a: text that ends. origin: other text.", FUNCTION, "origin stands in the text"),
        ("It.\n\nArgs:\n    a: text\n        b: other text.", FUNCTION, "b stands in the text"),
        ("It.\n\nArgs:\n    a: text\n        *rest: other text.", FUNCTION, "rest stands in the text"),
        ("It.\n\nRaises:\n    OSError: text. KeyError: other text.", FUNCTION, "KeyError stands in the text"),
        ("It.\n\nArgs:\n    a, c: text.", FUNCTION, "c is not among a, b, origin, rest"),
        ("It.\n\nArgs:\n    a: text.", "def f():", "a is not among its parameters: it has none"),
        ("It.\n\nArgs:\n    length: text.", CLASS, "length is not among self, size"),
        ("It.\n\nAttributes:\n    length: text.", f"{CLASS}", "length is not among __init__"),
    ],
)
def test_a_broken_docstring_is_found(docstring, head, expected):
    assert any(expected in fault for fault in faults_of(docstring, head))


@pytest.mark.parametrize(
    ("docstring", "head"),
    [
        ("It: a thing. Raises:ValueError if not.", FUNCTION),
        ("It.\n\nArgs:\n    a, b: text that\n        goes on.\n    *rest: text; None: no text.", FUNCTION),
        (
            "It.\n\nArgs:\n    a: text about `origin: int`.\n\nReturns:\n    Text that\n      goes on.\n\nMore.",
            FUNCTION,
        ),
        ("It.\n\nArgs:\n    a: the origin: where it begins.\n    origin: text.\n\nMore text: of anything.", FUNCTION),
        ("It.\n\nArgs:\n    anything: text.", "def f(**options):"),
        ("It.\n\nArgs:\n    size: text.\n\nRaises:\n    errors.Bad, OSError: text.", CLASS),
        ("It.\n\nArgs:\n    size: text.", "class C:\n    size: int"),
        ("It.\n\nAttributes:\n    of_the_base: text.", "class C(B):"),
    ],
)
def test_other_docstrings_pass(docstring, head):
    assert faults_of(docstring, head) == []


# Whose functions and methods users call with arrays and data, so that they need to know shapes and units.
OF_FUNCTIONS = ("audio", "augment", "boxes", "image", "numeric", "random", "source")


def called_by_users() -> Iterator[tuple[str, Callable[..., object]]]:
    """Every public function of these doors, and every public method and property of their classes."""
    for name, thing in public_objects():
        if name.split(".")[1] not in OF_FUNCTIONS or not callable(thing):
            continue
        if not isinstance(thing, type):
            yield name, thing
            continue
        for member, value in vars(thing).items():
            function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
            if not member.startswith("_") and inspect.isfunction(function):
                yield f"{name}.{member}", function


def test_users_learn_all_of_the_arguments():
    called = dict(called_by_users())
    assert {"jaxdali.image.erode", "jaxdali.image.Images.crop", "jaxdali.source.Arrays.direct"} <= called.keys()
    faults = [f"{name}: {fault}" for name, function in called.items() for fault in argument_faults(function)]
    assert not faults, "\n".join(faults)


def complete(x: int, y: int) -> int:
    """It.

    Args:
        x: a number.
        y: another one, as in `f`.
    """
    return x + y


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        ("It of `x` and `y`.", "says nothing of x"),
        ("It.\n\nArgs:\n    x: a number.", "says nothing of y"),
        ("It.\n\nArgs:\n    x, y: numbers.", "x, y: each needs an entry of its own"),
        ("It.\n\nArgs:\n    x: a number.\n    y: as in `f`.", "y: 'as in `f`.' is told elsewhere"),
        ("It.\n\nArgs:\n    x: a number.\n    y: see `f`.", "y: 'see `f`.' is told elsewhere"),
        ("See `f`.\n\nArgs:\n    x: a number.\n    y: another.", "'See `f`"),
        (None, "'' is told elsewhere"),
    ],
)
def test_what_is_not_said_of_an_argument_is_found(monkeypatch, docstring, expected):
    assert argument_faults(complete) == []
    monkeypatch.setattr(complete, "__doc__", docstring)
    assert any(fault.startswith(expected) for fault in argument_faults(complete))


def test_an_argument_without_an_annotation_is_found(monkeypatch):
    monkeypatch.setattr(complete, "__annotations__", {"x": int})
    assert argument_faults(complete) == ["y has no annotation", "return has no annotation"]
