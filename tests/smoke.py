"""Smoke tests: what `-m smoke` runs, on an installed wheel with a second Python.

They cover everything that touches a compiled module, what depends on the version of Python (how processes start, what
is pickled, when interrupts come), and every public interface from end to end. The mark is given only here, by file.
tests/test_smoke.py checks that no folder, and no test of a compiled module, is forgotten.
"""

from __future__ import annotations

import pathlib

HERE = pathlib.Path(__file__).resolve().parent

ALL = ("*",)

# Folders of tests/ and their smoke tests: `ring` for test_ring.py, or ALL of them except those in LEFT_OUT.
SMOKE: dict[str, tuple[str, ...]] = {
    ".": (
        *("assign_cpus", "buffers", "contexts", "formats", "house", "imports", "rows", "smoke", "tensor_surface"),
        *("tensors", "types"),
    ),
    "audio": ALL,
    "augment": ALL,
    "auto_aug": ALL,
    "cli": ("command_line", "doctor_command", "shards"),
    "control": ALL,
    "examples": ALL,
    "external_source": ("outputs", "source_failures"),
    "ffi": ALL,
    "image": ALL,
    "iterator": ALL,
    "loader": ("loader", "loader_on_error", "loader_state"),
    "operators": ALL,
    "oracles": ("recorded_batches",),
    "pipeline": (
        *("call_sites", "definition", "found_graphs", "graph", "graph_traps", "interrupts", "operator_arguments"),
        *("run", "run_data", "run_sources", "serialize"),
    ),
    "plugin": ("front_interrupts", "iterator", "iterator_checkpoints", "peekable_iterator", "reader_iterator"),
    "processes": ALL,
    "random": ALL,
    "readers": ALL,
    "ring": ALL,
    "source": ALL,
    "storage": ALL,
}

_WAITS = "its time is waiting for processes that die or stop, which the system brings about and no Python"
_COMPILES = "XLA compiles for half a minute, of what other files of the folder call as well"

# Folders without smoke tests, exceptions in folders with ALL, and tests of compiled modules that are no smoke tests:
# why not.
LEFT_OUT: dict[str, str] = {
    "contract": "each operator is compiled several times, and what may depend on Python is tested with the front doors",
    "distributed": "half a minute a test, in processes that jax connects",
    "guard": "what changes the product's text is the same with every Python",
    "gpu": "needs a GPU, of whose memory each Python would take most",
    "programs": "what they are written with is tested with the front doors, and DALI is beside one Python",
    "programs/jax_trainers": "XLA compiles twenty programs twice, of what is tested with the front doors",
    "image/test_decode_resample_sharded.py": _COMPILES,
    "image/test_lazy_images.py": _COMPILES,
    "image/test_level_calls.py": _COMPILES,
    "image/test_resample.py": _COMPILES,
    "image/test_sharded_batches.py": _COMPILES,
    "image/test_shard_map.py": _COMPILES,
    "iterator/test_fingerprint.py": _COMPILES,
    "random/test_platforms.py": _COMPILES,
    "loader/test_unsupported_platforms.py": "it says which devices have no calls, and touches none that others do not",
    "oracles/test_resizing_beside_dali.py": "DALI is beside one Python, and the call's bits are tested beside NumPy's",
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
