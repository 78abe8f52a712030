"""How the files of jaxdali depend on each other: who imports whom, and what a class inherits.

Reads syntax trees; imports nothing. Files are named by their paths below jaxdali/, e.g. `fn/resize.py`.
"""

from __future__ import annotations

import ast
import functools
import pathlib
from collections.abc import Iterator, Mapping

Sources = Mapping[str, str]  # path -> text
Arrows = Mapping[str, set[str]]  # path -> paths of what it imports

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def module_of(path: str) -> str:
    """`fn/resize.py` -> `jaxdali.fn.resize`, `fn/__init__.py` -> `jaxdali.fn`."""
    parts = pathlib.PurePath(path).with_suffix("").parts
    return ".".join(["jaxdali", *(parts[:-1] if parts[-1] == "__init__" else parts)])


# Cached, because the same unchanged files are inspected in many ways.
@functools.cache
def parsed(text: str) -> ast.Module:
    return ast.parse(text)


@functools.cache
def bindings(text: str, path: str) -> tuple[tuple[str, str], ...]:
    """(name in the file, absolute name) of everything it imports, anywhere; `from a import b` gives ("b", "a.b").

    Modules loaded by `importlib.import_module` with a literal name count, too.
    """
    return tuple(_bindings(parsed(text), path))


def _bindings(tree: ast.AST, path: str) -> Iterator[tuple[str, str]]:
    package = ("jaxdali", *pathlib.PurePath(path).parent.parts)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.asname or alias.name, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*start, *([node.module] if node.module else [])])
            yield from ((alias.asname or alias.name, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in (
            "import_module",
            "__import__",
        ):
            name = node.args[0] if node.args else None
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield name.value, name.value


def arrows(sources: Sources) -> dict[str, set[str]]:
    """Returns which files each file imports.

    Every import counts. One inside a function only hides a circle from Python. With one under `if TYPE_CHECKING:` a
    file still cannot be understood without the other; the arrows between folders count it, too. That a module's package
    is loaded first does not count, because it is so for every module of a package.
    """
    paths = {module_of(path): path for path in sources}
    bound = {path: dict(bindings(text, path)) for path, text in sources.items()}
    found: dict[str, set[str]] = {path: set() for path in sources}
    for path, text in sources.items():
        for _, name in bindings(text, path):
            base, _, last = name.rpartition(".")
            if name in paths:
                found[path].add(paths[name])
                # `from ..image import decode` means the function, if image/__init__.py has one with the module's name.
                if base in paths and bound[paths[base]].get(last, name) != name:
                    found[path].add(paths[base])
            elif base in paths:
                found[path].add(paths[base])
    return {path: others - {path} for path, others in found.items()}


def _reached(graph: Arrows, start: str) -> set[str]:
    """The files that can be reached from a file over one or more arrows."""
    seen: set[str] = set()
    left = [start]
    while left:
        fresh = graph[left.pop()] - seen
        seen |= fresh
        left += fresh
    return seen


def circles(graph: Arrows) -> list[tuple[str, ...]]:
    """The maximal sets of files, sorted, in which every file reaches every other one."""
    reached = {path: _reached(graph, path) for path in graph}
    sets = {tuple(sorted(b for b in reached[a] if a in reached[b])) for a in graph if a in reached[a]}
    return sorted(sets)


def shortest_way(graph: Arrows, start: str) -> list[str]:
    """The shortest path from a file back to itself, both ends included. One must exist."""
    ways = [[start]]
    seen: set[str] = set()
    for way in ways:
        for after in sorted(graph[way[-1]]):
            if after == start:
                return [*way, start]
            if after not in seen:
                seen.add(after)
                ways.append([*way, after])
    raise ValueError(f"no way leads from {start} back to it")


def public_methods(cls: ast.ClassDef) -> set[str]:
    """Names without a leading underscore that a class defines with `def`, or as `name = call(...)` or `name = other`.

    So properties and aliases count, but constants do not.
    """
    names = {node.name for node in cls.body if isinstance(node, _FUNCTIONS)}
    for node in cls.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call | ast.Name):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return {name for name in names if not name.startswith("_")}


def methods_with_inherited(sources: Sources) -> dict[str, set[str]]:
    """`path:class` -> the public methods of each top-level class of a file, including those of its base classes in
    jaxdali.
    """
    classes: dict[str, ast.ClassDef] = {}
    names: dict[str, str] = {}  # absolute name of a class -> `path:class`
    meant: dict[str, str] = {}  # absolute name -> what an import binds to it
    for path, text in sources.items():
        tree, module = parsed(text), module_of(path)
        meant |= {f"{module}.{name}": target for name, target in bindings(text, path)}
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                classes[f"{module}.{node.name}"] = node
                names[f"{module}.{node.name}"] = f"{path}:{node.name}"

    def find(name: str) -> str | None:
        """Resolves an absolute name to a class, through imports; None if it is not one of jaxdali's."""
        seen: set[str] = set()
        while name not in classes:
            seen.add(name)
            head, tail = name, ""
            while head and head not in meant:
                head, _, last = head.rpartition(".")
                tail = f".{last}{tail}"
            name = meant[head] + tail if head else ""
            if not name or name in seen:
                return None
        return name

    def methods(name: str) -> set[str]:
        found = public_methods(classes[name])
        for base in classes[name].bases:
            written = ast.unparse(base.value if isinstance(base, ast.Subscript) else base)  # Base[T]
            above = find(f"{name.rpartition('.')[0]}.{written}")
            found |= methods(above) if above is not None and above != name else set()
        return found

    return {names[name]: methods(name) for name in classes}
