"""Whole programs on a GPU do what was recorded of DALI on the CPU."""

from __future__ import annotations

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "programs"))

import claims
import jax
from facts import facts_with, fit, recorded
from running import ON_GPU, PROGRAMS, run

pytestmark = pytest.mark.gpu


@pytest.fixture(autouse=True, scope="module")
def _what_jax_says_when_it_starts():
    """Makes JAX give its warnings at start-up before programs are watched for warnings of their own."""
    jax.numpy.zeros(2).block_until_ready()


# These print the pipeline's device_id, or what a list on a GPU has in place of NumPy's arrays.
OTHERS = {"meta_and_sizes", "run_directly"}


@pytest.mark.parametrize("name", sorted({*PROGRAMS} - OTHERS))
def test_it_does_on_a_gpu_what_was_recorded_of_dali(name):
    ours = facts_with(name, ON_GPU)
    assert fit(ours, recorded()[name]), f"{ours}\nis not what DALI did:\n{recorded()[name]}"


@pytest.mark.parametrize("name", sorted(claims.CLAIMS))
def test_what_holds_of_any_draw_holds_on_a_gpu(name):
    claims.check(name, run(name, ON_GPU))
