"""Checks the house rules for imports, sizes and exports. The tables are in house_rules.py."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import pathlib
import re
import subprocess
import sys

import handler_rules
import house_rules as rules
import import_graph
import pytest

import jaxdali

PACKAGE = pathlib.Path(jaxdali.__file__).parent
PYTHON_FILES = sorted(PACKAGE.rglob("*.py"))
# The texts of jaxdali's files, by their paths below jaxdali/.
SOURCES = {path.relative_to(PACKAGE).as_posix(): path.read_text() for path in PYTHON_FILES}
# The suite also runs outside the repository, on an installed wheel; ffi/ does not exist then.
ALL_FILES = PYTHON_FILES + sorted(
    path
    for folder in ("tests", "examples", "benchmarks", "ffi")
    for path in (rules.ROOT / folder).rglob("*")
    if path.suffix in (".py", ".cc", ".h", ".cu")
)
# All texts, by their paths below the repository's root; installed files of jaxdali as if they were there.
TEXTS = {
    path.relative_to(PACKAGE.parent if path.is_relative_to(PACKAGE) else rules.ROOT).as_posix(): path.read_text()
    for path in ALL_FILES
}


def exported(stub: pathlib.Path) -> list[str]:
    """Returns the names that a stub of `from .x import y as y` lines re-exports, in its order."""
    nodes = [n for n in ast.parse(stub.read_text()).body if isinstance(n, ast.ImportFrom)]
    return [alias.asname or alias.name for node in nodes for alias in node.names]


def imported(text: str, path: str) -> set[str]:
    """Returns the absolute names of everything that a file imports."""
    return {name for _, name in import_graph.bindings(text, path)}


@functools.cache
def too_large() -> dict[str, str]:
    """Returns the faults of size; only computed on demand, because every process of the suite imports this module."""
    return {name: fault for path, text in TEXTS.items() for name, fault in rules.size_faults(text, path).items()}


def test_the_files_are_found():
    assert {"__init__.py", "errors.py", "batch.py"} <= {p.name for p in PYTHON_FILES}
    assert pathlib.Path(__file__).resolve() in [p.resolve() for p in ALL_FILES]
    assert {rules.wing_of(path) for path in SOURCES} == {"", *rules.WINGS}


def test_imports_point_down():
    found = {path: rules.import_faults(text, path) for path, text in SOURCES.items()}
    assert {path: faults for path, faults in found.items() if faults} == {}
    assert all("subprocess" in SOURCES[path] for path in rules.STARTS_ONE_TOO), "a line without use"


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("import jax.numpy", "_feed/source/a.py"),
        ("def f():\n  from jax import numpy", "_feed/processes/a.py"),
        ("if TYPE_CHECKING:\n  import jaxlib", "_base/batch.py"),
        ("from jaxdali._device.image import decode", "_feed/processes/a.py"),
        ("from ..._device.image import decode", "_feed/processes/a.py"),
        ("from jaxdali._dali.pipeline import pipeline", "_run/executor/a.py"),
        ("import jaxdali._feed.processes.pool", "_device/image/a.py"),
        ("from jaxdali._feed.source import cycle", "_base/dtypes.py"),
        ("from jaxdali._loader import state", "_dali/pipeline/a.py"),
        ("importlib.import_module('jaxdali._dali.pipeline.session')", "_cli/a.py\0_loader/a.py"),
        ("from jaxdali import source", "_loader/a.py"),
        ("from jaxdali.source import Arrays", "_loader/a.py"),
        ("from jaxdali.fn import flip", "_cli/a.py\0_dali/pipeline/a.py"),
        ("from ..ring import feed", "_feed/processes/a.py\0_feed/source/a.py"),
        ("from ..source.files import read_file", "_feed/ring/a.py\0_feed/processes/a.py"),
        ("from ..pipeline import session", "_dali/iterators/a.py\0_dali/graph/a.py"),
        ("from .pipeline.session import x", "_dali/buffer_settings.py"),
        ("import jaxdali", "_run/executor/a.py"),
        ("import numpy", "_dali/unheard_of/a.py"),
    ],
)
def test_an_import_that_points_up_is_found(source, path):
    *good, bad = path.split("\0")
    assert rules.import_faults(source, bad)
    assert not any(rules.import_faults(source, p) for p in good)


def test_errors_are_everybody_s():
    for wing in rules.WINGS:
        assert not rules.import_faults(
            "from jaxdali.errors import ConfigError",
            f"{wing}/a.py" if wing not in rules.ROOMS else f"{wing}/{next(iter(rules.ROOMS[wing]))}/a.py",
        )


def test_a_room_imports_another_by_what_it_may_see():
    found = {path: rules.narrow_faults(text, path) for path, text in SOURCES.items()}
    assert {path: faults for path, faults in found.items() if faults} == {}
    for (room, other), seen in rules.NARROW.items():
        names = {name for path, text in SOURCES.items() if path.startswith(f"{room}/") for name in imported(text, path)}
        start = f"jaxdali.{other.replace('/', '.')}"
        assert {one for one in seen if any(f"{n}.".startswith(f"{start}.{one}.") for n in names)} == seen


@pytest.mark.parametrize(
    "source",
    [
        "from ..ring.fill import fill_chunk",
        "from ..ring import slot_reader",
        "import jaxdali._feed.ring",
        "from .. import ring",
    ],
)
def test_what_a_room_may_not_see_is_found(source):
    assert rules.narrow_faults(source, "_feed/processes/a.py")
    assert not rules.narrow_faults(source, "_feed/source/a.py")
    assert not rules.narrow_faults("from ..ring.served_source import ServedSource", "_feed/processes/a.py")


def test_doors_only_re_export():
    doors = {path: text for path, text in SOURCES.items() if not rules.wing_of(path) and path not in rules.NO_DOORS}
    assert {path: rules.door_faults(text, path) for path, text in doors.items() if rules.door_faults(text, path)} == {}
    assert rules.door_faults("def f(): ...", "a.py") and rules.door_faults("class A: ...", "a.py")
    assert rules.NO_DOORS.keys() <= SOURCES.keys()


@pytest.mark.parametrize(
    "path", [p for p in SOURCES if not rules.wing_of(p) and p not in rules.NO_DOORS and "plugin/" not in p]
)
def test_a_door_shows_its_names_only(path):
    door = importlib.import_module(import_graph.module_of(path))
    assert dir(door) == sorted(door.__all__, key=rules.export_order) or dir(door) == sorted(door.__all__)
    assert door.__doc__ and all(hasattr(door, name) for name in door.__all__)


def test_what_a_signal_s_handler_raises_is_nowhere_taken_for_something_else():
    found = {path: rules.handler_faults(text, path) for path, text in SOURCES.items()}
    assert {path: faults for path, faults in found.items() if faults} == {}
    assert rules.CATCHES_ALL.keys() <= SOURCES.keys()


@pytest.mark.parametrize(
    "clause",
    ["except Exception: pass", "except (OSError, SystemExit) as e: f(e)", "except: g()", "except Exception: raise X()"],
)
def test_a_clause_that_takes_everything_is_found(clause):
    assert rules.handler_faults(f"try: f()\n{clause}", "_feed/ring/a.py")
    asks = f"try: f()\n{clause.partition(':')[0]}:\n  if is_interruption(e): raise"
    assert not rules.handler_faults(asks, "_feed/ring/a.py")
    assert not rules.handler_faults("try: f()\nexcept KeyError: pass", "_feed/ring/a.py")
    assert rules.handler_faults("with contextlib.suppress(Exception): f()", "_feed/ring/a.py")


def test_no_error_of_ours_is_taken_for_python_s():
    found = {
        place: text for path, source in SOURCES.items() for place, text in handler_rules.taken_for_others(source, path)
    }
    assert {place: text for place, text in found.items() if place not in handler_rules.TOLD} == {}
    assert handler_rules.TOLD.keys() <= found.keys()


@pytest.mark.parametrize(
    ("clauses", "takes"),
    [
        ("except ValueError: return None", True),
        ("except (OSError, RuntimeError) as error: raise ConfigError(error)", True),
        ("except ConfigError: raise\n except ValueError: return None", False),
        ("except ValueError as error:\n  if isinstance(error, JaxDaliError): raise", False),
        ("except OSError: return None", False),
    ],
)
def test_a_clause_that_takes_ours_is_found(clauses, takes):
    for call, ours in (("read()", True), ("self.read()", True), ("self.file.read()", False), ("int()", False)):
        source = f"from .a import read\ndef f(self):\n try: {call}\n {clauses}"
        assert bool(list(handler_rules.taken_for_others(source, "a.py"))) == (takes and ours), call


def test_processes_start_in_one_room():
    found = {path: rules.start_faults(text, path) for path, text in SOURCES.items()}
    assert {path: faults for path, faults in found.items() if faults} == {}
    assert all("subprocess" in SOURCES[path] for path in rules.STARTS_ONE_TOO), "a line without use"


@pytest.mark.parametrize(
    "source",
    [
        "import subprocess",
        "def f():\n  from multiprocessing import pool",
        "import multiprocessing.shared_memory as m",
        "import os\nos.fork()",
        "from os import posix_spawn",
        "import concurrent.futures\nconcurrent.futures.ProcessPoolExecutor(2)",
        "os.execve('a', [], {})",
    ],
)
def test_a_start_of_a_process_is_found(source):
    assert rules.start_faults(source, "_feed/ring/a.py")
    assert not rules.start_faults(source, "_feed/processes/a.py")
    assert not rules.start_faults("import os\nos.register_at_fork()\nos._exit(0)", "_feed/ring/a.py")


def test_rooms_within_a_room_import_each_other_one_way():
    drawn = rules.inner_arrows(SOURCES)
    folders = {room for room in drawn if any(path.startswith(f"{room}/") for path in SOURCES)}
    assert folders == {*rules.INNER_ROOMS}
    granted = {room: {f"{room.rpartition('/')[0]}/{other}" for other in rules.INNER_ROOMS[room]} for room in folders}
    assert {room: drawn[room] for room in folders} == granted, "INNER_ROOMS lists what they import, and nothing else"
    assert import_graph.circles(drawn) == []
    back = {**SOURCES, "_run/executor/device_io/a.py": "from ..decode_ahead import split_decoder"}
    assert import_graph.circles(rules.inner_arrows(back)) == [("_run/executor/decode_ahead", "_run/executor/device_io")]


def test_every_arrow_is_used_and_none_leads_back():
    drawn = {(rules.room_of(path), room) for path, room in rules.drawn_arrows(SOURCES)}
    wings = {(rules.wing_of(room), rules.wing_of(other)) for room, other in drawn}
    granted = {(wing, other) for wing, others in rules.WINGS.items() for other in others}
    assert sorted(granted - wings) == [], "no file draws these arrows of WINGS any more; take them out"
    granted = {
        (f"{wing}/{room}", f"{wing}/{other}")
        for wing, table in rules.ROOMS.items()
        for room, others in table.items()
        for other in others
    }
    assert sorted(granted - drawn) == [], "no file draws these arrows of ROOMS any more; take them out"
    rooms = {rules.room_of(path) for path in SOURCES if rules.wing_of(path) in rules.ROOMS} - {*rules.WINGS}
    assert {f"{wing}/{room}" for wing, table in rules.ROOMS.items() for room in table} == rooms | {"_feed/_host"}
    assert [import_graph.circles(table) for table in (rules.WINGS, *rules.ROOMS.values())] == [[]] * (
        len(rules.ROOMS) + 1
    )


def test_the_drawing_is_that_of_the_rules():
    page = (rules.ROOT / "docs/design.md").read_text()
    assert rules.drawing_faults(page) == []
    assert rules.drawing_faults(page.replace("multihost executor", "executor multihost"))
    assert rules.drawing_faults(page.replace("\n_feed ", "\n_fed "))


def test_files_import_each_other_in_no_circle():
    graph = import_graph.arrows(SOURCES)
    circles = {
        circle: " -> ".join(import_graph.shortest_way(graph, circle[0])) for circle in import_graph.circles(graph)
    }
    new = {circle: way for circle, way in circles.items() if circle not in rules.CIRCLES}
    assert new == {}, "move what both sides need into a file below them"
    gone = [circle for circle in rules.CIRCLES if circle not in circles]
    assert gone == [], "CIRCLES lists what is no more (where one became smaller, list what is left of it)"


def test_every_exception_to_the_arrows_is_needed():
    drawn = {f"{path} -> {rules.wing_of(room)}" for path, room in rules.drawn_arrows(SOURCES)}
    assert {*rules.UPWARD} <= drawn, "UPWARD lists an arrow that is no more"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"a.py": "from . import b", "b.py": "def f():\n  from .a import x"}, [("a.py", "b.py")]),
        ({"a.py": "from .b import x", "b.py": "if TYPE_CHECKING:\n  from .a import x"}, [("a.py", "b.py")]),
        ({"a.py": "import jaxdali.b as c", "b.py": "importlib.import_module('jaxdali.a')"}, [("a.py", "b.py")]),
        (
            {"a.py": "from .b import x", "b.py": "from .c import x", "c.py": "from .a import x"},
            [("a.py", "b.py", "c.py")],
        ),
        # A package's __init__.py with a function that hides the module of the same name.
        (
            {"p/__init__.py": "from .f import f\nfrom .g import g", "p/f.py": "", "p/g.py": "from . import f"},
            [("p/__init__.py", "p/g.py")],
        ),
        ({"p/__init__.py": "from . import f as f\nfrom .g import g", "p/f.py": "", "p/g.py": "from . import f"}, []),
        ({"a.py": "from .b import x\nfrom .c import y", "b.py": "from .c import y", "c.py": "import b"}, []),
    ],
)
def test_a_circle_is_found(files, expected):
    graph = import_graph.arrows(files)
    assert import_graph.circles(graph) == expected
    for circle in expected:
        way = import_graph.shortest_way(graph, circle[0])
        assert way[0] == way[-1] == circle[0] and {*way} == {*circle}


def test_files_functions_and_classes_are_small():
    assert {name: fault for name, fault in too_large().items() if name not in rules.EXCEPTIONS} == {}


def test_classes_are_small_with_what_they_inherit():
    faults = rules.inherited_faults(SOURCES)
    assert {name: fault for name, fault in faults.items() if name not in rules.EXCEPTIONS} == {}


def test_a_large_function_and_a_large_class_are_found():
    def function(lines: int) -> str:
        return 'def f():\n  """Doc\n  string."""\n' + "  x = 1\n" * lines

    def cls(methods: int) -> str:
        return "class A:\n" + "".join(f"  def m{k}(self): ...\n" for k in range(methods))

    limits = (rules.MAX_BODY_LINES, rules.MAX_PUBLIC_METHODS)
    assert rules.size_faults(function(limits[0]) + cls(limits[1]), "a.py") == {}
    assert {*rules.size_faults(function(limits[0] + 1) + cls(limits[1] + 1), "a.py")} == {"a.py:f", "a.py:A"}
    assert rules.size_faults("\n" * rules.MAX_FILE_LINES, "a.h") == {}
    assert {*rules.size_faults("\n" * (rules.MAX_FILE_LINES + 1), "a.h")} == {"a.h"}


def test_what_a_class_inherits_counts():
    methods = {
        "a.py": "class A:\n  def f(self): ...\n  def _g(self): ...\n  g = property(_g)\n  size = 3\n",
        "p/__init__.py": "from ..a import A as Base\n",
        "p/b.py": "from . import Base\nclass B(Base):\n  def f(self): ...\n  def h(self): ...\n",
        "c.py": "import jaxdali.p.b\nclass C(jaxdali.p.b.B[int], dict):\n  j = _f\n",
    }
    assert import_graph.methods_with_inherited(methods) == {
        "a.py:A": {"f", "g"},
        "p/b.py:B": {"f", "g", "h"},
        "c.py:C": {"f", "g", "h", "j"},
    }
    many = "class A:\n" + "".join(f"  def m{k}(self): ...\n" for k in range(rules.MAX_PUBLIC_METHODS))
    below = "class B(A):\n  def more(self): ...\n"
    assert {*rules.inherited_faults({"a.py": many + below})} == {"jaxdali/a.py:B"}


def test_every_exception_is_needed_and_has_a_reason():
    needed = {**rules.inherited_faults(SOURCES), **too_large()}
    for entry in rules.EXCEPTIONS:
        assert entry in needed, f"{entry} is not an exception any more"
    for table in (rules.EXCEPTIONS, rules.UPWARD, rules.CIRCLES):
        for entry, reason in table.items():
            assert len(reason.split()) > 3, f"{entry} wants a reason"


def test_types_are_said_and_imports_are_at_the_top():
    found = rules.shares(SOURCES)
    assert found["Any"] <= rules.MAX_ANY, "say the type; `object` if nothing is done with it"
    assert found["inner imports"] <= rules.MAX_INNER_IMPORTS
    text = "from typing import Any\ndef f(a: Any):\n  import b\n" + "\n" * 97
    assert rules.shares({"a.py": text}) == {"Any": 2.0, "inner imports": 1.0}


def test_a_file_behind_the_doors_has_a_name_of_its_own():
    names = [pathlib.PurePath(path).name for path in SOURCES if rules.wing_of(path)]
    twice = {name for name in names if names.count(name) > 1} - {"__init__.py"}
    assert twice == set(), "add the noun: traces, editors and people name files without their folders"


def test_a_file_behind_the_doors_is_imported_by_another():
    stub = {"__init__.pyi": (PACKAGE / "__init__.pyi").read_text()}
    used = set().union(*import_graph.arrows({**SOURCES, **stub}).values())
    # Operators are imported by their names in FUNCTIONS, which tests/operators compares with the files.
    dead = {p for p in SOURCES if rules.wing_of(p) and not p.endswith("__init__.py") and "/operators/" not in p} - used
    assert dead == set(), "delete it, or import it"


def test_nothing_is_left_for_later():
    later = re.compile(r"\b(TO" + "DO|FIX" + r"ME)\b")
    assert [path for path, text in TEXTS.items() if later.search(text)] == []


def test_one_file_knows_what_is_internal_to_jax():
    assert [path for path, text in SOURCES.items() if "jax._src" in text] == [rules.JAX_INTERNALS]


def test_exports_are_sorted():
    for path, text in SOURCES.items():
        for node in import_graph.parsed(text).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                if ast.unparse(node.value).startswith("sorted("):
                    continue  # the names of operators, which are not listed in the file
                names = ast.literal_eval(node.value)
                assert names == sorted(names, key=rules.export_order), path


def test_the_front_door_is_its_stub():
    names = exported(PACKAGE / "__init__.pyi")
    assert names and sorted(names) == sorted(jaxdali.__all__)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", exported(PACKAGE / "__init__.pyi"))
def test_a_public_name_is_there_and_documented(name):
    # If the stub names a module, the attribute must be that module.
    thing = getattr(jaxdali, name)
    assert inspect.getdoc(thing)
    if inspect.ismodule(thing):
        assert thing is importlib.import_module(f"jaxdali.{name}")


def test_a_fresh_worker_has_no_jax():
    code = "import sys, jaxdali._feed.processes.child; print(sorted({'jax', 'jaxlib'} & {*sys.modules}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
