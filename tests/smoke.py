"""Smoke tests: what `-m smoke` runs, on an installed wheel with a second Python and the newest libraries.

They cover what depends on either: how processes start, what is pickled, when interrupts come, what functions are
rewritten from, where they are called and what they ask for, every custom call, and a program of each front door,
compiled with XLA's optimizations. The mark is given only here, by file. tests/test_smoke.py checks that no folder is
forgotten.
"""

from __future__ import annotations

import pathlib

HERE = pathlib.Path(__file__).resolve().parent

ALL = ("*",)

# Folders of tests/ and their smoke tests: `ring` for test_ring.py, or ALL of them except those in LEFT_OUT.
SMOKE: dict[str, tuple[str, ...]] = {
    ".": ("buffers", "contexts", "imports", "rows", "smoke", "tensors"),
    "cli": ("command_line",),
    "control": ALL,
    "examples": ALL,
    "ffi": ALL,
    "image": ("decode", "shard_map"),
    "loader": ("loader_state", "schedules"),
    "oracles": ("recorded_batches",),
    "pipeline": ("call_sites", "definition", "graph_traps", "interrupts", "serialize"),
    "plugin": ("front_interrupts", "iterator_checkpoints", "peekable_iterator"),
    "processes": ALL,
    "random": ("draws",),
    "remote": ("couriers",),
    "ring": ALL,
    "versions": ALL,
}

_WAITS = "its time is waiting for processes that die or stop, which the system brings about and no Python"
_FORMULA = "its results are formulas, which every Python and every jax compute alike; the calls behind them are in ffi"
_BEHIND_DOORS = "what may depend on Python is tested with the front doors, whose recorded batches need all of it"

# Folders without smoke tests, and exceptions in folders with ALL: why not.
LEFT_OUT: dict[str, str] = {
    "audio": _FORMULA,
    "augment": _FORMULA,
    "auto_aug": _FORMULA,
    "contract": "each operator is compiled several times, and what may depend on Python is tested with the front doors",
    "distributed": "half a minute, in processes that jax connects",
    "external_source": "how workers start is tested in processes and ring; what sources give them is the same after that",
    "gpu": "needs a GPU, of whose memory each Python would take most",
    "guard": "what changes the product's text is the same with every Python",
    "iterator": _BEHIND_DOORS,
    "notebooks": "a kernel takes seconds to start, and what it does with exceptions is tested with the front doors",
    "operators": _FORMULA,
    "programs": "what they are written with is tested with the front doors, and DALI is beside one Python",
    "programs/jax_trainers": "XLA compiles twenty programs twice, of what is tested with the front doors",
    "readers": _BEHIND_DOORS,
    "source": _BEHIND_DOORS,
    "storage": "what is elsewhere is read by libraries, whose versions are the same for every Python",
    "ffi/test_nvcuvid_abi.py": "it compiles declarations of the tree, which no wheel has",
    "processes/test_hung_once.py": _WAITS,
    "processes/test_interrupted_close.py": _WAITS,
    "processes/test_kill.py": _WAITS,
    "processes/test_processes.py": _WAITS,
    "processes/test_resuming.py": _WAITS,
    "processes/test_standstill.py": _WAITS,
}


def is_smoke(path: pathlib.Path) -> bool:
    """Whether the tests of a file are smoke tests."""
    if not path.is_relative_to(HERE):
        return False
    folder = path.parent.relative_to(HERE).as_posix()
    names = SMOKE.get(folder, ())
    return path.stem.removeprefix("test_") in names or (names == ALL and f"{folder}/{path.name}" not in LEFT_OUT)
