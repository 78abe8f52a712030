"""What workers have of the program that started them: the table of docs/design/processes.md, row by row."""

import inherited_programs
import pytest
from processes import run_program
from tiers import gate, start_methods


@pytest.mark.parametrize(
    ("start_method", "bit_generator"),
    gate(
        [("fork", "MT19937"), ("fork", "PCG64"), ("spawn", "MT19937"), ("forkserver", "MT19937")],
        [("fork", "MT19937"), ("fork", "PCG64"), ("forkserver", "MT19937")],
    ),
)
def test_each_worker_draws_its_own_numbers(start_method, bit_generator):
    rows = run_program(inherited_programs.draws, start_method, bit_generator)
    _, of_numpy, of_python, of_torch = zip(*rows, strict=True)
    assert len(set(of_numpy)) == len(set(of_python)) == len(rows)
    # Stands in for the library, which only a forked worker finds loaded.
    assert len(set(of_torch)) == (2 if start_method == "fork" else 1)


@start_methods("fork", "forkserver")
def test_what_the_parent_left_is_finalised_by_the_parent_alone(start_method, tmp_path):
    result = run_program(inherited_programs.garbage, start_method, str(tmp_path))
    assert len(result["found"]) == 7
    assert all(pids == [result["parent"]] for pids in result["found"].values()), result


# What a worker has of a program that has everything; by start method, first of all what they have in common.
ALL = {
    "threads": False,
    "timer": 0.0,
    "noted": [],  # neither functions of atexit ran in the worker, nor the program's function for a signal that it got
    "same": True,  # it lived on after that signal
}
FRESH = {
    "files": [False, False],
    "lock": False,
    "logging": 0,
    "signals": ["SIG_IGN", "SIG_IGN", "SIG_DFL", "SIG_IGN", "SIG_DFL", "SIG_IGN", "SIG_DFL"],
    "environment": ["here", "cpu", "", "1"],
    "jax": False,
}
HAS = {
    "fork": {
        "files": [True, True],
        "lock": True,
        "logging": 1,
        "signals": ["SIG_IGN", "SIG_IGN", "SIG_DFL", "SIG_IGN", "function", "SIG_IGN", "SIG_DFL"],
        "environment": ["here", "cpu", "", "5"],
        "jax": True,
    },
    "forkserver": FRESH,
    "spawn": FRESH,
}


@start_methods("fork", "forkserver")
def test_what_a_worker_has_of_its_program(start_method, tmp_path):
    seen = run_program(inherited_programs.rows, start_method, str(tmp_path))
    assert seen.pop("cwd") == seen.pop("cwd_of_program") == str(tmp_path) and seen.pop("pid")
    name, of_parent = seen.pop("names")
    assert name == "jaxdali-w0" and (of_parent == "jaxdali-zygote") == (start_method != "spawn")
    assert seen == {**ALL, **HAS[start_method]}
