"""The house inspects itself: imports, sizes, exports. The tables are in house_rules.py."""

from __future__ import annotations

import ast
import importlib
import inspect
import pathlib
import re
import subprocess
import sys

import house_rules as rules
import pytest

import jaxdali

PACKAGE = pathlib.Path(jaxdali.__file__).parent
PYTHON_FILES = sorted(PACKAGE.rglob("*.py"))
# The suite also runs outside the clone, on an installed wheel: there is no ffi/ then.
ALL_FILES = PYTHON_FILES + sorted(
    path
    for folder in ("tests", "examples", "benchmarks", "ffi")
    for path in (rules.ROOT / folder).rglob("*")
    if path.suffix in (".py", ".cc", ".h", ".cu")
)


def name_of(path: pathlib.Path) -> str:
    base = PACKAGE.parent if path.is_relative_to(PACKAGE) else rules.ROOT
    return path.relative_to(base).as_posix()


def exported(stub: pathlib.Path) -> list[str]:
    """The names that a stub of `from .x import y as y` lines re-exports, in its order."""
    nodes = [n for n in ast.parse(stub.read_text()).body if isinstance(n, ast.ImportFrom)]
    return [alias.asname or alias.name for node in nodes for alias in node.names]


def test_the_files_are_found():
    assert {"__init__.py", "errors.py", "batch.py"} <= {p.name for p in PYTHON_FILES}
    assert pathlib.Path(__file__).resolve() in [p.resolve() for p in ALL_FILES]


@pytest.mark.parametrize("path", PYTHON_FILES, ids=name_of)
def test_imports_point_down(path):
    below = path.relative_to(PACKAGE).as_posix()
    assert rules.import_faults(path.read_text(), below) == []


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("import jax.numpy", "source/a.py"),
        ("def f():\n  from jax import numpy", "workers/a.py"),
        ("if TYPE_CHECKING:\n  import jaxlib", "batch.py"),
        ("from ..image import decode", "workers/a.py"),
        ("from .. import fn", "pipeline/a.py"),
        ("from jaxdali.pipeline import pipeline", "executor/a.py"),
        ("import jaxdali.workers.pool", "image/a.py"),
        ("from .source import cycle", "types.py"),
        ("from ...executor import prefetch", "plugin/jax/a.py\0workers/jax/a.py"),
        ("import numpy", "unheard_of/a.py"),
    ],
)
def test_an_import_that_points_up_is_found(source, path):
    *good, bad = path.split("\0")
    assert rules.import_faults(source, bad)
    assert not any(rules.import_faults(source, p) for p in good)


@pytest.mark.parametrize("path", ALL_FILES, ids=name_of)
def test_files_functions_and_classes_are_small(path):
    name, text = name_of(path), path.read_text()
    if name not in rules.EXCEPTIONS:
        assert text.count("\n") <= rules.MAX_FILE_LINES
    if path.suffix == ".py":
        assert rules.size_faults(text, name) == []


def test_a_large_function_and_a_large_class_are_found():
    def function(lines: int) -> str:
        return 'def f():\n  """Doc\n  string."""\n' + "  x = 1\n" * lines

    def cls(methods: int) -> str:
        return "class A:\n" + "".join(f"  def m{k}(self): ...\n" for k in range(methods))

    limits = (rules.MAX_BODY_LINES, rules.MAX_PUBLIC_METHODS)
    assert rules.size_faults(function(limits[0]) + cls(limits[1]), "a.py") == []
    assert len(rules.size_faults(function(limits[0] + 1) + cls(limits[1] + 1), "a.py")) == 2


def test_every_exception_is_needed_and_has_a_reason():
    names = {name_of(path) for path in ALL_FILES}
    for entry, reason in rules.EXCEPTIONS.items():
        assert entry.partition(":")[0] in names, f"{entry} is no more"
        assert len(reason.split()) > 3, f"{entry} wants a reason"


@pytest.mark.parametrize("path", ALL_FILES, ids=name_of)
def test_text(path):
    text = path.read_text()
    assert not re.search(r"\b(TO" + "DO|FIX" + r"ME)\b", text)
    if path.is_relative_to(PACKAGE) and not path.as_posix().endswith(rules.JAX_INTERNALS):
        assert "jax._src" not in text, f"only {rules.JAX_INTERNALS} may know jax's internals"


@pytest.mark.parametrize("path", PYTHON_FILES, ids=name_of)
def test_exports_are_sorted(path):
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names = ast.literal_eval(node.value)
            assert names == sorted(names, key=rules.export_order)


def test_the_front_door_is_its_stub():
    names = exported(PACKAGE / "__init__.pyi")
    assert names and sorted(names) == sorted(jaxdali.__all__)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", exported(PACKAGE / "__init__.pyi"))
def test_a_public_name_is_there_and_documented(name):
    # A module that the stub names may shadow nothing: the attribute and the module are one.
    thing = getattr(jaxdali, name)
    assert inspect.getdoc(thing)
    if inspect.ismodule(thing):
        assert thing is importlib.import_module(f"jaxdali.{name}")


def test_a_fresh_worker_has_no_jax():
    code = "import sys, jaxdali.workers.child; print(sorted({'jax', 'jaxlib'} & {*sys.modules}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
