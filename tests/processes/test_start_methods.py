"""Which start method is chosen, what each can do, and the warning if a worker imports jax without need."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import default_programs
import pytest
import start_programs
from processes import SOON_S, is_alive, run_program, start_program, until
from tiers import gate, start_methods

# CHOICE


def test_fork_is_the_default_until_jax_or_a_thread_runs_and_is_refused_after():
    seen = run_program(start_programs.chosen)
    refused = seen.pop("refused")
    assert seen == {
        "first": "fork",
        "pickler": "forkserver",
        "thread": "forkserver",
        "imported": "fork",
        "jax": "forkserver",
        "wanted": ["spawn", "forkserver"],
    }
    assert "JAX has been initialized" in refused
    assert "Cannot fork a process when the CUDA has been initialized" in refused
    for advice in ('py_start_method="forkserver"', 'py_start_method="spawn"', "start_py_workers()"):
        assert advice in refused


# What is written in a program, and what becomes of it beside a thread of a library.
NATIVE = {
    "only_own": ("fork", True, []),
    "picklable": ("forkserver", False, ["FutureWarning"]),
    "unpicklable": ("forkserver", True, ["FutureWarning"]),
    "wanted": ("fork", True, []),
}


@pytest.mark.parametrize("kind", gate(NATIVE, ["picklable", "unpicklable"]))
def test_beside_threads_of_libraries_only_sources_that_cannot_be_pickled_are_forked_and_that_is_said_once(kind):
    seen = run_program(start_programs.native, kind)
    method, forked, categories = NATIVE[kind]
    assert (seen["before"], seen["after"], seen["forked"]) == ("fork", method, forked)
    assert [category for _, category, _ in seen["warnings"]] == categories
    for text, _, file in seen["warnings"]:
        assert "this process has 1 native thread(s), which a fork does not inherit" in text
        if forked:
            assert "source.<closure>.lock (a _thread.lock) cannot be pickled" in text
            assert 'py_start_method="fork" to keep it' in text and "A later release will refuse" in text
        else:
            assert "Workers start as fresh processes and get the sources pickled" in text
            assert 'Pass py_start_method="fork" to fork them as before, or "forkserver" to keep fresh ones' in text
        assert file == "process_programs.py"  # the caller of run()


def test_a_process_is_told_once_that_workers_are_fresh_and_a_source_that_these_cannot_load_what_would_share_it(
    tmp_path,
):
    seen = run_program(default_programs.fresh, str(tmp_path))
    # The method is how workers did start: the last source cannot be pickled, and is forked with a warning of its own.
    assert seen["methods"] == ["forkserver", "forkserver", "forkserver", "fork"] and seen["warned"] == [0, 1, 1, 2]
    by_default, given = seen["errors"]
    assert "No module named 'only_here'" in by_default and "No module named 'only_here'" in given
    assert (
        'Forked workers would share it with this process, and load nothing: pass py_start_method="fork"' in by_default
    )
    assert "Forked workers" not in given


def test_a_thread_that_was_joined_a_moment_ago_is_not_a_librarys():
    assert run_program(default_programs.joined) == ["fork"]


def test_only_beside_a_thread_that_nobody_accounts_for_a_process_looks_again():
    seen = run_program(default_programs.looks)
    assert seen == {"alone": [0, False], "python": [1, False], "library": [2, True]}


def test_without_proc_the_threads_of_python_count():
    assert run_program(start_programs.without_proc) == ["fork", "forkserver"]


DRIVER = """
static int initialized = 0;
int cuInit(unsigned flags) { initialized = 1; return 100; /* CUDA_ERROR_NO_DEVICE */ }
int cuDeviceGetCount(int *count) { return initialized ? 100 : 3; }
"""


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    """A CUDA driver for a machine without a GPU, in a folder whose name contains a space."""
    if shutil.which("gcc") is None:
        pytest.skip("a driver cannot be compiled: gcc is not installed")
    folder = tmp_path_factory.mktemp("a driver")
    source, library = folder / "driver.c", folder / "libcuda.so.1"
    source.write_text(DRIVER)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source], check=True)
    return library


def test_fork_is_refused_once_cuda_is_initialized_and_not_before(driver):
    result = run_program(start_programs.cuda, str(driver))
    assert result["seen"] == [False, False, True] and result["default"] == "forkserver"
    assert "Cannot fork a process when the CUDA has been initialized" in result["refused"]
    assert "the first use of CUDA" in result["refused"] and 'py_start_method="forkserver"' in result["refused"]


# WHAT ALL OF THEM CAN DO


SCRIPT = """
import functools, sys
import numpy as np
import jaxdali as dali
from jaxdali import fn

print("main runs", flush=True)
offset = 100

def top_level(info):
    return np.int32(offset + info.idx_in_epoch)

class Reader:
    def __call__(self, info):
        return top_level(info)
    def method(self, info):
        return top_level(info)

def make(extra):
    def closure(info):
        return np.int32(top_level(info) + extra)
    class Local:
        def __call__(self, info):
            return closure(info)
    return closure, Local()

closure, local = make(0)
def keyword(info, extra):
    return np.int32(top_level(info) + extra)

sources = [top_level, Reader(), Reader().method, lambda info: top_level(info), closure, local,
           functools.partial(keyword, extra=0)]
pipe = dali.Pipeline(batch_size=4, py_num_workers=2, py_start_method=sys.argv[1])
with pipe:
    pipe.set_outputs(*[fn.external_source(s, parallel=True, batch=False) for s in sources])
with pipe:
    for output in pipe.run():
        assert output.as_array().tolist() == [100, 101, 102, 103]
print("done")
"""


@start_methods("fork", "spawn", "forkserver")
def test_every_kind_of_function_of_the_main_program_is_a_source_and_no_guard_is_needed(start_method, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run(
        [sys.executable, "-W", "error", script, start_method],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment,
    )
    assert (result.stdout, result.stderr) == ("main runs\ndone\n", "")


@start_methods("fork", "forkserver")
def test_a_worker_can_be_started_again_at_any_time_and_nothing_piles_up(start_method):
    result = run_program(start_programs.relaunch, start_method)
    assert result["deaths"] == [[1, True, -9, False]] * 5 and result["different"] == 5
    assert result["held"][0] == result["held"][1] and result["left"] == []
    lost = [[[0, True, False], [1, True, False]]] * 2 if start_method == "forkserver" else []
    assert [sorted(deaths) for deaths in result["lost"]] == lost


@start_methods("fork", "spawn")
def test_nothing_is_left_behind(start_method):
    result = run_program(start_programs.left_behind, start_method)
    assert result["after"] == result["before"]
    assert result["after"]["children"] == []
    assert not [name for name in result["after"]["descriptors"] if "memfd" in name or "pidfd" in name]


@pytest.mark.parametrize("start_method", gate(["spawn", "forkserver"], ["forkserver"]))
def test_nobody_goes_on_loading_when_the_parent_is_killed(start_method, tmp_path):
    with start_program(start_programs.hang_loading, start_method, str(tmp_path)) as process:
        pids = json.loads(process.stdout.readline())
        assert pids and all(map(is_alive, pids))
        process.kill()
    until(lambda: not any(map(is_alive, pids)))


@pytest.mark.parametrize("start_method", ["spawn", "forkserver"])
def test_the_main_module_of_a_fresh_process_is_empty(start_method):
    assert run_program(start_programs.main_names, start_method) == []


# FORKSERVER


def test_the_process_that_forks_workers_is_clean():
    result = run_program(start_programs.kept_clean)
    assert result == {"workers": True, "children": True, "jax": False, "streams": [True, True]}


def test_who_starts_threads_when_imported_is_imported_by_each_worker(tmp_path):
    result = run_program(start_programs.threads_on_import, str(tmp_path))
    assert result["rows"]
    for number, (loaded_in, pid, threads, index) in enumerate(result["rows"]):
        assert pid in result["workers"] and loaded_in == pid and threads == 2 and index == number


def test_a_slow_import_holds_up_neither_start_nor_end(tmp_path):
    result = run_program(start_programs.slow_import, str(tmp_path))
    assert result["start_s"] < SOON_S and result["close_s"] < SOON_S and not result["left"]


def test_the_death_of_the_process_while_it_loads_is_named(tmp_path):
    text = run_program(start_programs.zygote_dies_loading, str(tmp_path))
    assert "the process that forked it" in text and "died" in text


# JAX IN WORKERS


@pytest.mark.parametrize(
    ("start_method", "when"),
    gate(
        [("spawn", "load"), ("forkserver", "library"), ("spawn", "call"), ("forkserver", "call"), ("fork", "call")],
        [("spawn", "load"), ("forkserver", "library"), ("fork", "call")],
    ),
)
def test_a_source_that_brings_jax_along_is_named_once(start_method, when, tmp_path):
    ((text, category, file),) = run_program(start_programs.drags_jax, start_method, str(tmp_path), when)
    assert text.startswith("the function source (") and category == "UserWarning"
    through = {"load": "through the module user_module: ", "library": "user_module, which imports library.inner: "}
    assert through.get(when, "worker processes, itself: ") in text
    assert file == "process_programs.py"  # the caller of run()


@pytest.mark.parametrize("start_method", gate(["spawn", "forkserver"], ["spawn"]))
def test_a_source_that_refers_to_jax_itself_is_named(start_method):
    ((text, _, _),) = run_program(start_programs.refers_to_jax, start_method)
    assert "imports jax into the worker processes, itself" in text


@start_methods("forkserver")
def test_nobody_is_blamed_for_what_does_not_happen(start_method, tmp_path):
    assert run_program(start_programs.drags_jax, start_method, str(tmp_path), "never") == []


def test_what_the_parent_had_when_it_forked_is_nobodys_fault(tmp_path):
    assert run_program(start_programs.parent_has_jax) == []
