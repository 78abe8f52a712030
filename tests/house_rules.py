"""The house rules as tables, and the checks that tests/test_house.py makes of a file's syntax tree."""

from __future__ import annotations

import ast
import pathlib
import re
from collections.abc import Mapping

from import_graph import arrows, bindings, methods_with_inherited, parsed, public_methods

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Which room of jaxdali (a folder or file directly in it) may import which others; the floors of docs/design.md give
# their order. All rooms may import GROUND, and otherwise only what is listed here. Every entry is in use: it is added
# with its first import, and removed with its last.
GROUND = {
    "aliases",
    "errors",
    "types",
    "dtypes",
    "constants",
    "layouts",
    "source_infos",
    "batch",
    "missing",
    "dali_names",
    "buffers",
    "cpus",
    "patience",
    "interruptions",
    "user_warnings",
}
HOST = {"processes", "ring", "storage", "records", "source", "readers", "formats", "pickling", "_host"}

MAY_IMPORT: dict[str, set[str]] = {
    **{room: set() for room in GROUND},
    # HOST
    "_host": set(),
    "formats": set(),
    "storage": {"_host"},
    "records": {"storage", "_host"},
    "source": {"records", "storage", "formats", "_host"},
    "readers": {"source", "storage", "_host"},
    "ring": {"source", "formats", "_host"},
    "processes": {"ring", "_host"},
    "pickling": set(),
    # DEVICE
    "_ffi": set(),
    # `random` and `image` share exact rounding and products; those two files contain only arithmetic.
    "random": {"image", "_ffi"},
    # EncodedBatch.from_encoded uses HOST's one list of formats to recognise files.
    "image": {"_ffi", "formats"},
    "numeric": {"image"},
    "boxes": {"_ffi", "image", "numeric", "random"},
    "augment": {"image", "random"},
    "audio": set(),
    # EXECUTOR
    "executor": {"ring", "source", "formats", "_host", "image", "random", "_ffi"},
    "iterator": {"readers", "image", "executor", "ring", "_ffi"},
    # GRAPH, FRONT and COMMANDS
    "tensors": {"ring", "source", "executor"},
    "graph": set(),
    "operators": {
        "audio",
        "boxes",
        "graph",
        "ring",
        "records",
        "storage",
        "source",
        "readers",
        "image",
        "numeric",
        "random",
        "tensors",
    },
    "control": {"graph"},
    "auto_aug": {"augment", "graph", "control", "image"},
    "fn": {"operators"},
    "ops": {"operators"},
    "math": {"operators"},
    "planner": {"graph", "operators", "processes", "ring", "source", "image", "random", "_ffi", "executor"},
    "eager": {"graph", "operators", "planner", "ring", "source", "readers", "executor", "tensors"},
    "pipeline": {
        "control",
        "eager",
        "graph",
        "operators",
        "planner",
        "ring",
        "source",
        "readers",
        "executor",
        "tensors",
    },
    "loader": {"processes", "ring", "source", "image", "random", "_ffi", "executor", "iterator"},
    "plugin": {"graph", "operators", "control", "source", "executor", "iterator", "pipeline", "planner"},
    "backend": {"tensors", "ring", "_ffi"},
    "backend_impl": {"tensors", "backend"},
    "progress": set(),
    "tfrecord": {"records"},
    "cli": {
        "processes",
        "storage",
        "records",
        "source",
        "formats",
        "_host",
        "image",
        "_ffi",
        "pipeline",
        "planner",
        "fn",
        "loader",
    },
    "__main__": {"cli"},
}

# Rooms within a room, and which other folders or files of the same room they may import. Every entry is in use.
INNER_ROOMS: dict[str, set[str]] = {
    "_run/executor/device_io": set(),
    "_run/executor/decode_ahead": {"device_io", "host_stage"},
}

# Which files of a room another room may import, where it may not import all. `processes` learns which sources to serve,
# and reports how chunks failed; samples are written and read behind these doors.
DOORS: dict[tuple[str, str], set[str]] = {
    ("processes", "ring"): {"served_source", "worker_loop", "failure_report"},
}

# The room where processes start. Files elsewhere may not name anything that starts one.
STARTS_PROCESSES = "processes"
# Files elsewhere that may, with the reason. This table may only shrink.
STARTS_ONE_TOO: dict[str, str] = {
    "_feed/records/video_scan.py": "no worker: it looks through videos when a reader is defined, before there are any",
}
_STARTERS = re.compile(
    r"(subprocess|multiprocessing|_posixsubprocess|pty|concurrent\.futures\.process)(\..*)?"
    r"|(os\.)(fork|forkpty|posix_spawnp?|spawn[lv]p?e?|exec[lv]p?e?|popen|system)|.*\.ProcessPoolExecutor"
)

# Imports of a room above, "file -> room", with the reason. This table may only shrink.
UPWARD: dict[str, str] = {}

# Files that import each other in a circle, with the reason. This table may only shrink.
CIRCLES: dict[tuple[str, ...], str] = {}

# Files of these rooms never import jax, not even inside a function.
WITHOUT_JAX = GROUND | HOST

MAX_FILE_LINES = 400
MAX_BODY_LINES = 60
MAX_PUBLIC_METHODS = 15
# Limits per hundred lines of jaxdali: uses of `Any`, which hides a type (`object` promises that a value is only passed
# on), and imports in functions, which are for modules that load jax or that few callers need.
MAX_ANY = 3.0
MAX_INNER_IMPORTS = 0.7
JAX_INTERNALS = "_device/ffi/compat.py"

# Exceptions to the limits, with the reason: a path, or "path:name" for a function or class.
EXCEPTIONS: dict[str, str] = {
    "jaxdali/_dali/pipeline/pipeline.py": "DALI's class: a line of code a method, and what its users read about it",
    "jaxdali/_dali/pipeline/pipeline.py:Pipeline": "DALI's class: which methods it has is not ours to say",
    "jaxdali/_device/image/images.py:Images": "what can be done to images, an operation a method, so that they chain",
    "jaxdali/_dali/control/transform.py:_Transformer": "a method for each kind of statement, as `ast` asks for them",
    "tests/control/changing_branches.py": "a small function for each way to change an object",
    "tests/control/harmless_branches.py": "a small function for each effect that does not matter",
    "tests/control/odd_branches.py": "a small function for each odd way to change an object",
}


# Files whose `except` clauses may take every exception, because no handler of the program's signals runs there. Nor are
# commands looked at: they have no handlers, and Ctrl-C ends them.
CATCHES_ALL: dict[str, str] = {
    "_loader/first_sample.py": "in a thread of its own",
    "_feed/records/video_scan.py": "in a process of its own, which scans videos",
    "_feed/processes/child.py": "in a worker",
    "_feed/processes/source_loading.py": "in a worker",
    "_feed/processes/worker.py": "in a worker",
    "_feed/processes/zygote.py": "in the process that forks workers",
    "_feed/storage/read_ahead.py": "in the thread of storage",
    "_feed/storage/retries.py": "in the thread of storage",
}
_ALL = {"Exception", "BaseException", "SystemExit", "OSError", "TimeoutError"}
_ASK = {"is_interruption", "raised_by_handler"}


def room_of(path: str) -> str:
    """The room of a file of jaxdali: `fn/resize.py` -> `fn`, `_base/batch.py` -> `batch`."""
    return pathlib.PurePath(path).parts[0].removesuffix(".py")


def import_faults(source: str, path: str) -> list[str]:
    """Imports of a file of jaxdali, at `path` below it, that MAY_IMPORT does not allow."""
    room = room_of(path)
    if room == "__init__":
        return []
    if room not in MAY_IMPORT:
        return [f"{path}: room {room!r} has no line in MAY_IMPORT"]
    faults = []
    for name in sorted({name for _, name in bindings(source, path)}):
        parts = name.split(".")
        if parts[0] in ("jax", "jaxlib") and room in WITHOUT_JAX:
            faults.append(f"{path}: imports {name}, but {room} knows no jax")
        if name == "jaxdali":
            faults.append(f"{path}: imports the front door, behind which everything lies; name the room")
        if parts[0] == "jaxdali" and len(parts) > 1:
            other = parts[1]
            if other != room and other not in MAY_IMPORT[room] | GROUND and f"{path} -> {other}" not in UPWARD:
                faults.append(f"{path}: imports {name}, but {room} may not import {other}")
    return faults


def door_faults(source: str, path: str) -> list[str]:
    """Imports of a file of jaxdali, at `path` below it, from another room past its doors."""
    faults = []
    for (room, other), doors in DOORS.items():
        names = sorted({name for _, name in bindings(source, path) if f"{name}.".startswith(f"jaxdali.{other}.")})
        if room_of(path) == room:
            faults += [f"{path}: {name} is not for {room}" for name in names if [*name.split("."), ""][2] not in doors]
    return faults


def inner_arrows(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """Returns which other parts of its room each inner room imports, as in `INNER_ROOMS`; likewise for files directly
    in the room.

    Args:
        sources: text of each file, by its path below jaxdali/.
    """
    rooms = {room.partition("/")[0] for room in INNER_ROOMS}

    def part_of(path: str) -> str:
        return "/".join(path.removesuffix(".py").split("/")[:2])

    found: dict[str, set[str]] = {part_of(path): set() for path in sources if room_of(path) in rooms}
    for path, others in arrows(sources).items():
        same = {part_of(other) for other in others if room_of(other) == room_of(path)} - {part_of(path)}
        if part_of(path) in found:
            found[part_of(path)] |= same
    return found


def start_faults(source: str, path: str) -> list[str]:
    """Returns what a file of jaxdali, at `path` below it, names that starts a process where none may be started."""
    if room_of(path) == STARTS_PROCESSES or path in STARTS_ONE_TOO:
        return []
    names = {name for _, name in bindings(source, path)}
    names |= {ast.unparse(node) for node in ast.walk(parsed(source)) if isinstance(node, ast.Attribute)}
    return [f"{path}: {name} starts a process" for name in sorted(names) if _STARTERS.fullmatch(name)]


def drawn_arrows(sources: Mapping[str, str]) -> set[tuple[str, str]]:
    """Returns (path, room) for all imports of another room.

    Args:
        sources: text of each file, by its path below jaxdali/.
    """
    names = {(path, name) for path, text in sources.items() for _, name in bindings(text, path)}
    found = {(path, name.split(".")[1]) for path, name in names if name.startswith("jaxdali.")}
    return {(path, room) for path, room in found if room_of(path) != room}


def drawing_faults(page: str) -> list[str]:
    """Differences between the floors and rooms drawn in docs/design.md and the tables above.

    Args:
        page: the text of docs/design.md.
    """
    drawing = page.partition("## Floors")[2].partition("```\n")[2].partition("```")[0]
    floors = {name: rooms for name, *rooms in map(str.split, drawing.splitlines())}
    order = [room for rooms in floors.values() for room in rooms]
    faults = [f"{room} is drawn twice" for room in sorted(set(order)) if order.count(room) > 1]
    faults += [f"{room} is in one of drawing and rules only" for room in sorted(set(order) ^ set(MAY_IMPORT))]
    for name, rooms in (("HOST", HOST), ("GROUND", GROUND)):
        faults += [f"{name} differs" for found in [set(floors.get(name, ()))] if found != rooms]
    known = {room: number for number, room in enumerate(order)}
    granted = [(room, other) for room, others in MAY_IMPORT.items() for other in sorted(others)]
    return faults + [f"{a} imports {b}, which is above it or left of it" for a, b in granted if known[a] >= known[b]]


def handler_faults(source: str, path: str) -> list[str]:
    """Returns the `except` clauses of a file of jaxdali that may take what a signal's handler raised, such as a
    TimeoutError, which is an OSError, for what they expect: they neither ask `interruptions` nor raise it again.
    """
    faults = []
    for node in ast.walk(parsed(source)) if path not in CATCHES_ALL and room_of(path) != "cli" else ():
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress"):
            if _ALL & {ast.unparse(one) for one in node.args}:
                faults.append(f"{path}:{node.lineno}: suppresses what a signal's handler raises")
        elif isinstance(node, ast.ExceptHandler):
            kinds = {one.id for one in ast.walk(node.type) if isinstance(one, ast.Name)} if node.type else _ALL
            asks = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} & _ASK
            again = any(isinstance(one, ast.Raise) and one.exc is None for one in ast.walk(node))
            if kinds & _ALL and not asks and not again:
                faults.append(
                    f"{path}:{node.lineno}: takes what a signal's handler raises for {ast.unparse(node)[:60]!r}"
                )
    return faults


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Number of lines in a function's body, without its docstring."""
    body = function.body
    if ast.get_docstring(function) is not None:
        body = body[1:]
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def size_faults(source: str, path: str) -> dict[str, str]:
    """Returns what is too large in a file, and by how much, with exceptions: `path`, or `path:name` of a definition."""
    faults = {}
    if (lines := source.count("\n")) > MAX_FILE_LINES:
        faults[path] = f"has {lines} lines, the limit is {MAX_FILE_LINES}"
    for node in ast.walk(parsed(source)) if path.endswith(".py") else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            size, limit, what = body_lines(node), MAX_BODY_LINES, "lines of body"
        elif isinstance(node, ast.ClassDef):
            size, limit, what = len(public_methods(node)), MAX_PUBLIC_METHODS, "public methods"
        else:
            continue
        if size > limit:
            faults[f"{path}:{node.name}"] = f"has {size} {what}, the limit is {limit}"
    return faults


def inherited_faults(sources: Mapping[str, str]) -> dict[str, str]:
    """Classes of jaxdali that are too large including inherited methods, exceptions included; as `size_faults`.

    Args:
        sources: text of each file, by its path below jaxdali/.
    """
    sizes = {name: len(methods) for name, methods in methods_with_inherited(sources).items()}
    return {
        f"jaxdali/{name}": f"has {size} public methods with those it inherits, the limit is {MAX_PUBLIC_METHODS}"
        for name, size in sizes.items()
        if size > MAX_PUBLIC_METHODS
    }


def shares(sources: Mapping[str, str]) -> dict[str, float]:
    """How many times `Any` and imports in functions occur per hundred lines, over all files together.

    Args:
        sources: text of each file, by its path below jaxdali/.
    """
    untyped = inner = 0
    for text in sources.values():
        for node in ast.walk(parsed(text)):
            if isinstance(node, ast.Name | ast.alias):
                untyped += (node.id if isinstance(node, ast.Name) else node.name) == "Any"
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                inner += sum(isinstance(one, ast.Import | ast.ImportFrom) for one in node.body)
    hundreds = sum(text.count("\n") for text in sources.values()) / 100
    return {"Any": untyped / hundreds, "inner imports": inner / hundreds}


def export_order(name: str) -> tuple[int, list[str | int]]:
    """The sort key that ruff uses for `__all__` (RUF022): CONSTANTS, Classes, functions; `log2` before `log10`."""
    parts = [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]
    return (0 if name.isupper() else 1 if name.lstrip("_")[:1].isupper() else 2, parts)
