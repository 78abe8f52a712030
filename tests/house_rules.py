"""The house rules as tables, and the checks that tests/test_house.py makes of a file's syntax tree."""

from __future__ import annotations

import ast
import pathlib
import re
from collections.abc import Mapping

from import_graph import arrows, bindings, methods_with_inherited, parsed, public_methods

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Which wing of jaxdali (a folder with an underscore directly in it) may import which others. Every entry is in use: it is
# added with its first import, and removed with its last. All may import `jaxdali.errors`, the one door behind which
# nothing lies: what users catch and see in tracebacks is defined where they import it.
WINGS: dict[str, set[str]] = {
    "_base": set(),
    "_feed": {"_base"},
    "_device": {"_base"},
    "_run": {"_base", "_feed", "_device"},
    "_dali": {"_base", "_feed", "_device", "_run"},
    "_loader": {"_base", "_feed", "_device", "_run"},
    "_cli": {"_base", "_feed", "_device", "_dali", "_loader"},
}
GROUND = "errors"

# Files of these wings never import jax, not even inside a function.
WITHOUT_JAX = {"_base", "_feed"}

# Doors: what users import, modules without an underscore. They re-export, and nothing behind them imports them, except
# where a command writes what a user would, or looks for the formats that users have sources for.
USES_DOORS: dict[str, set[str]] = {"_cli": {"fn", "source"}}

# Files outside the wings that are no doors, with the reason.
NO_DOORS: dict[str, str] = {
    "errors.py": "is where errors are defined, so that tracebacks show the names that users catch",
    "__init__.py": "checks what was built, and loads names when they are used",
    "__main__.py": "is what `python -m jaxdali` runs",
}

# The rooms of a wing (a folder or file directly in it), and which others of the same wing they may import. Every entry
# is in use. Wings that are not listed are one room.
ROOMS: dict[str, dict[str, set[str]]] = {
    "_base": {
        **{
            room: set()
            for room in "aliases batch buffer_growth dali_names documentation dtypes foreign_names layouts".split()
        },
        **{room: set() for room in "interruptions named_parameters pickling pictures progress public_names".split()},
        **{room: set() for room in "source_infos user_warnings".split()},
        "constants": {"dtypes"},
        "cpus": {"interruptions"},
        "formats": {"batch", "interruptions"},
        "missing": {"dali_names", "documentation", "foreign_names", "interruptions"},
        "patience": {"interruptions"},
        "gallery": {"interruptions"},
    },
    "_feed": {
        "_host": set(),
        "storage": {"_host"},
        "records": {"storage", "_host"},
        "source": {"records", "storage", "_host"},
        "ring": {"source", "_host"},
        "processes": {"ring", "_host"},
        "remote": {"processes", "ring", "source", "_host"},
    },
    "_device": {
        "any_mesh": set(),
        "ffi": set(),
        # `random` and `image` share exact rounding and products; those two files contain only arithmetic.
        "random": {"image", "ffi", "any_mesh"},
        "image": {"ffi", "any_mesh"},
        "numeric": {"image", "any_mesh"},
        "boxes": {"ffi", "image", "numeric", "random", "any_mesh"},
        "augment": {"image", "random", "any_mesh"},
        "audio": {"any_mesh"},
    },
    "_run": {
        "executor": set(),
        "lazy_jax": set(),
        "multihost": {"executor"},
    },
    "_dali": {
        "graph": set(),
        "readers": set(),
        "tensors": set(),
        "other_frameworks": set(),
        "buffer_settings": set(),
        "epochs": {"readers"},
        "operators": {"graph", "readers", "tensors"},
        "control": {"graph"},
        "auto_aug": {"graph", "control"},
        "planner": {"graph", "operators"},
        "eager": {"graph", "operators", "planner", "readers", "tensors"},
        "pipeline": {"control", "eager", "graph", "operators", "planner", "readers", "tensors"},
        "show": {"tensors"},
        "iterators": {"control", "epochs", "graph", "operators", "pipeline", "planner"},
    },
}

# Rooms within a room, and which other folders or files of the same room they may import. Every entry is in use.
INNER_ROOMS: dict[str, set[str]] = {
    "_run/executor/device_io": set(),
    "_run/executor/decode_ahead": {"device_io", "step"},
}

# Which files of a room another room may import, where it may not import all. `processes` learns which sources to serve,
# and reports how chunks failed; samples are written and read behind these.
NARROW: dict[tuple[str, str], set[str]] = {
    ("_feed/processes", "_feed/ring"): {"served_source", "worker_loop", "failure_report"},
}

# The room where processes start. Files elsewhere may not name anything that starts one.
STARTS_PROCESSES = "_feed/processes"
# Files elsewhere that may, with the reason. This table may only shrink.
STARTS_ONE_TOO: dict[str, str] = {
    "_feed/records/video_scan.py": "no worker: it looks through videos when a reader is defined, before there are any, or "
    "decodes a clip that a GPU did not",
}
_STARTERS = re.compile(
    r"(subprocess|multiprocessing|_posixsubprocess|pty|concurrent\.futures\.process)(\..*)?"
    r"|(os\.)(fork|forkpty|posix_spawnp?|spawn[lv]p?e?|exec[lv]p?e?|popen|system)|.*\.ProcessPoolExecutor"
)

# Imports of a wing above, "file -> wing", with the reason. This table may only shrink.
UPWARD: dict[str, str] = {}

# Files that import each other in a circle, with the reason. This table may only shrink.
CIRCLES: dict[tuple[str, ...], str] = {}

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
    "jaxdali/_device/image/stacked_images.py:StackedImages": "those of Images, for files with a second axis",
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
    "_feed/remote/actor.py": "in an actor",
    "_feed/remote/cluster.py": "in a courier",
    "_feed/remote/courier.py": "in a courier",
    "_feed/remote/courier_process.py": "in a courier",
    "_feed/storage/read_ahead.py": "in the thread of storage",
    "_feed/storage/retries.py": "in the thread of storage",
}
_ALL = {"Exception", "BaseException", "SystemExit", "OSError", "TimeoutError"}
_ASK = {"is_interruption", "raised_by_handler"}


def wing_of(path: str) -> str:
    """The wing of a file of jaxdali, "" of a door: `_feed/ring/feed.py` -> `_feed`, `fn/random.py` -> ``."""
    first = pathlib.PurePath(path).parts[0]
    return first if first in WINGS else ""


def room_of(path: str) -> str:
    """The room of a file of jaxdali: `_feed/ring/feed.py` -> `_feed/ring`, `_base/batch.py` -> `_base/batch`.

    A wing without rooms is one, and a door is its own: `_loader/state.py` -> `_loader`, `fn/random.py` -> `fn`.
    """
    parts = pathlib.PurePath(path).with_suffix("").parts
    if parts[0] in ROOMS and len(parts) > 1 and parts[1] != "__init__":
        return f"{parts[0]}/{parts[1]}"
    return parts[0]


def _room_of_name(name: str) -> str:
    """The room of what is imported: `jaxdali._feed.ring.feed` -> `_feed/ring`."""
    return room_of("/".join(name.split(".")[1:]) or "__init__")


def import_faults(source: str, path: str) -> list[str]:
    """Imports of a file of jaxdali, at `path` below it, that the tables above do not allow."""
    wing, room = wing_of(path), room_of(path)
    if not wing:
        return []
    if wing in ROOMS and "/" in room and room.split("/")[1] not in ROOMS[wing]:
        return [f"{path}: room {room!r} has no line in ROOMS"]
    faults = []
    for name in sorted({name for _, name in bindings(source, path)}):
        parts = name.split(".")
        if parts[0] in ("jax", "jaxlib") and wing in WITHOUT_JAX:
            faults.append(f"{path}: imports {name}, but {wing} knows no jax")
        if name == "jaxdali":
            faults.append(f"{path}: imports the front door, behind which everything lies; name the file")
        if parts[0] != "jaxdali" or len(parts) == 1:
            continue
        other = _room_of_name(name)
        if wing_of(other) == "":
            if other != GROUND and other not in USES_DOORS.get(wing, ()):
                faults.append(f"{path}: imports {name}, a door; name the file behind it")
        elif wing_of(other) != wing:
            if wing_of(other) not in WINGS[wing] and f"{path} -> {wing_of(other)}" not in UPWARD:
                faults.append(f"{path}: imports {name}, but {wing} may not import {wing_of(other)}")
        elif (
            "/" in other
            and "/" in room
            and other != room
            and other.split("/")[1] not in ROOMS[wing][room.split("/")[1]]
        ):
            faults.append(f"{path}: imports {name}, but {room} may not import {other}")
    return faults


def narrow_faults(source: str, path: str) -> list[str]:
    """Imports of a file of jaxdali, at `path` below it, from another room past the files that it may see."""
    faults = []
    for (room, other), seen in NARROW.items():
        start = f"jaxdali.{other.replace('/', '.')}."
        names = sorted({name for _, name in bindings(source, path) if f"{name}.".startswith(start)})
        if room_of(path) == room:
            faults += [f"{path}: {name} is not for {room}" for name in names if f"{name}.".split(".")[3] not in seen]
    return faults


def door_faults(source: str, path: str) -> list[str]:
    """What a door defines, though it may only re-export: functions and classes, but those with which a module answers
    for its names, and imports that are not re-exports.
    """
    faults = []
    for node in parsed(source).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name not in ("__getattr__", "__dir__"):
            faults.append(f"{path}: defines {node.name}")
    return faults


def inner_arrows(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """Returns which other parts of its room each inner room imports, as in `INNER_ROOMS`; likewise for files directly
    in the room.

    Args:
        sources: text of each file, by its path below jaxdali/.
    """
    rooms = {room.rpartition("/")[0] for room in INNER_ROOMS}

    def part_of(path: str) -> str:
        return "/".join(path.removesuffix(".py").split("/")[:3])

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
    found = {(path, _room_of_name(name)) for path, name in names if name.startswith("jaxdali.")}
    return {(path, room) for path, room in found if room_of(path) != room}


def drawing_faults(page: str) -> list[str]:
    """Differences between the wings and rooms drawn in docs/design.md and the tables above.

    Args:
        page: the text of docs/design.md.
    """
    drawing = page.partition("## Wings")[2].partition("```\n")[2].partition("```")[0]
    # A line that begins with spaces goes on with the wing above it.
    floors = [(name, rooms) for name, *rooms in map(str.split, re.sub(r"\n +", " ", drawing).splitlines())]
    drawn = {name: rooms for name, rooms in floors if name in WINGS}
    faults = [f"{name} is in one of drawing and rules only" for name in sorted({*drawn} ^ {*WINGS})]
    order = {name: number for number, (name, _) in enumerate(floors)}
    faults += [
        f"{wing} imports {other}, which is above it"
        for wing, others in WINGS.items()
        for other in sorted(others)
        if order.get(wing, -1) >= order.get(other, -1)
    ]
    for wing, table in ROOMS.items():
        rooms = drawn.get(wing, [])
        faults += [f"{wing}: {room} is in one of drawing and rules only" for room in sorted({*rooms} ^ {*table})]
        place = {room: number for number, room in enumerate(rooms)}
        faults += [
            f"{wing}: {room} imports {other}, which is left of it"
            for room, others in table.items()
            for other in sorted(others)
            if place.get(room, 0) >= place.get(other, 1)
        ]
    return faults


def handler_faults(source: str, path: str) -> list[str]:
    """Returns the `except` clauses of a file of jaxdali that may take what a signal's handler raised, such as a
    TimeoutError, which is an OSError, for what they expect: they neither ask `interruptions` nor raise it again.
    """
    faults = []
    for node in ast.walk(parsed(source)) if path not in CATCHES_ALL and wing_of(path) != "_cli" else ():
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
