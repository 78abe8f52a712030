"""Workers share no state of random numbers, and finalise nothing that is their parent's."""

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
    assert len(result["found"]) == 5
    assert all(pids == [result["parent"]] for pids in result["found"].values()), result
