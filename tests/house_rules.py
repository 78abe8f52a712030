"""The house rules as tables, and what tests/test_house.py asks of a file's syntax tree."""

from __future__ import annotations

import ast
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Which unit of jaxdali (a folder or file right under it) may import which others: the arrows of
# docs/design.md. Everybody may import GROUND; nobody else's unit that is not written here.
GROUND = {"errors", "types", "batch", "missing", "buffers"}
HOST = {"workers", "source", "readers", "formats", "pickling", "_host"}
DEVICE = {"image", "random", "_ffi"}
EXECUTOR = {"executor", "iterator"}

MAY_IMPORT: dict[str, set[str]] = {
    **{unit: set() for unit in GROUND},
    # host wing
    "_host": set(),
    "formats": set(),
    "source": set(),
    "readers": {"source", "_host"},
    "workers": {"source", "readers", "formats", "pickling", "_host"},
    "pickling": {"workers"},
    # device wing
    "_ffi": set(),
    # Both round and keep products apart in the same way; those two files are arithmetic only.
    "random": {"_ffi", "image"},
    # EncodedBatch.from_encoded recognises files by the host wing's one list of formats.
    "image": {"_ffi", "formats"},
    # executor
    "executor": HOST | DEVICE,
    "iterator": HOST | DEVICE | {"executor"},
    # front
    "pipeline": HOST | DEVICE | EXECUTOR | {"tensors"},
    "tensors": HOST | DEVICE | EXECUTOR,
    "fn": HOST | DEVICE | EXECUTOR | {"pipeline", "tensors"},
    "loader": HOST | DEVICE | EXECUTOR,
    "plugin": HOST | DEVICE | EXECUTOR | {"pipeline", "tensors"},
    "backend": {"tensors", "workers", "_ffi"},
    "backend_impl": {"tensors", "backend"},
    "math": {"pipeline"},
    "progress": set(),
    "ops": {"fn", "pipeline"},
    "cli": HOST | DEVICE | EXECUTOR | {"pipeline", "fn", "tensors"},
    "__main__": {"cli"},
}

# Files of these units never name jax, not even inside a function.
WITHOUT_JAX = GROUND | HOST

MAX_FILE_LINES = 400
MAX_BODY_LINES = 60
MAX_PUBLIC_METHODS = 15
JAX_INTERNALS = "_ffi/compat.py"

# What may exceed a limit, with the reason: a path, or "path:name" for a function or class.
EXCEPTIONS: dict[str, str] = {
    "jaxdali/pipeline/pipeline.py:Pipeline": "DALI's class: which methods it has is not ours to say",
}


def unit_of(path: str) -> str:
    """The unit of a file of jaxdali: `fn/resize.py` -> `fn`, `batch.py` -> `batch`."""
    return pathlib.PurePath(path).parts[0].removesuffix(".py")


def imported_modules(tree: ast.AST, path: str) -> set[str]:
    """Absolute names of all that a file imports, wherever in it; `from a import b` gives `a.b`.

    Args:
        tree: the file's syntax tree.
        path: its path below jaxdali/, from which relative imports start.
    """
    package = ("jaxdali", *pathlib.PurePath(path).parent.parts)
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*start, *([node.module] if node.module else [])])
            names |= {f"{base}.{alias.name}" for alias in node.names}
    return names


def import_faults(source: str, path: str) -> list[str]:
    """What a file of jaxdali, at `path` below it, imports against the arrows."""
    unit = unit_of(path)
    if unit == "__init__":
        return []
    if unit not in MAY_IMPORT:
        return [f"{path}: unit {unit!r} has no line in MAY_IMPORT"]
    faults = []
    for name in sorted(imported_modules(ast.parse(source), path)):
        parts = name.split(".")
        if parts[0] in ("jax", "jaxlib") and unit in WITHOUT_JAX:
            faults.append(f"{path}: imports {name}, but {unit} knows no jax")
        if parts[0] == "jaxdali" and len(parts) > 1:
            other = parts[1]
            if other != unit and other not in MAY_IMPORT[unit] | GROUND:
                faults.append(f"{path}: imports {name}, but {unit} may not import {other}")
    return faults


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function's body, its docstring apart."""
    body = function.body
    if ast.get_docstring(function) is not None:
        body = body[1:]
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def public_methods(cls: ast.ClassDef) -> set[str]:
    """Names without a leading underscore that a class defines with `def`, properties included."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {n.name for n in cls.body if isinstance(n, functions) and not n.name.startswith("_")}


def size_faults(source: str, path: str) -> list[str]:
    """Functions and classes of a Python file that are too large, exceptions apart."""
    faults = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            size, limit, what = body_lines(node), MAX_BODY_LINES, "lines of body"
        elif isinstance(node, ast.ClassDef):
            size, limit, what = len(public_methods(node)), MAX_PUBLIC_METHODS, "public methods"
        else:
            continue
        if size > limit and f"{path}:{node.name}" not in EXCEPTIONS:
            faults.append(f"{path}:{node.name} has {size} {what}, the limit is {limit}")
    return faults


def export_order(name: str) -> tuple[int, list[str | int]]:
    """The order of `__all__` that ruff keeps (RUF022): CONSTANTS, Classes, functions; `log2` before `log10`."""
    parts = [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]
    return (0 if name.isupper() else 1 if name.lstrip("_")[:1].isupper() else 2, parts)
