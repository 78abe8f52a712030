"""Branches on nodes compared with NVIDIA's DALI: each program runs in both systems."""

from __future__ import annotations

import pytest
from beside_dali import SYSTEMS, forms, results
from branch_programs import branched, refused

pytestmark = pytest.mark.dali


@pytest.mark.parametrize("name", branched)
def test_outputs_are_equal(name):
    theirs, ours = (results(branched[name], system) for system in SYSTEMS)
    assert forms(ours) == forms(theirs)
    assert ours == theirs


@pytest.mark.parametrize("name", refused)
def test_both_refuse(name):
    for system in SYSTEMS:
        with pytest.raises((RuntimeError, TypeError, ValueError)):
            results(refused[name], system)
