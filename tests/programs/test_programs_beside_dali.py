"""Programs like those that people publish: the same text runs with NVIDIA's DALI and with jaxdali.

`python tests/programs/record.py` runs them with DALI and writes the record anew.
"""

from __future__ import annotations

import claims
import kinds
import numpy as np
import pytest
from facts import facts_with, fit, recorded
from running import PROGRAMS, leaves, run

# For resized values: what counts as off, how many may be, and by how much (a step of 8-bit images, normalised or not).
OFF = 1e-3
SHARE = 1e-3
STEPS = {"uint8": 1.0, "float16": 0.02, "float32": 0.02}


def differences(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Returns how far a program's "close" values are from DALI's, and how far each may be."""
    found, steps = [np.zeros(0)], [np.zeros(0)]
    for theirs, ours in zip(run(name, "nvidia.dali"), run(name, "jaxdali"), strict=True):
        parts = [*zip(leaves(theirs), leaves(ours), strict=True)]
        for kind, (a, b) in zip(kinds.kinds(name, len(parts)) if parts else (), parts, strict=True):
            if kind == "close":
                found += [abs(x.astype(float) - y).ravel() for x, y in zip(a.arrays, b.arrays, strict=True)]
                steps += [np.full(x.size, STEPS[x.dtype.name]) for x in a.arrays]
    return np.concatenate(found), np.concatenate(steps)


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_does_what_was_recorded_of_dali(name):
    ours = facts_with(name, "jaxdali")
    assert fit(ours, recorded()[name]), f"{ours}\nis not what DALI did:\n{recorded()[name]}"


@pytest.mark.dali
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_record_is_what_dali_does(name):
    theirs = facts_with(name, "nvidia.dali")
    assert fit(theirs, recorded()[name])


@pytest.mark.dali
@pytest.mark.parametrize("name", sorted(name for name in PROGRAMS if "close" in kinds.KINDS.get(name, "")))
def test_resized_numbers_are_a_step_off_here_and_there(name):
    found, steps = differences(name)
    assert found.size > 1000
    assert (found <= steps).all() and (found > OFF).mean() <= SHARE


@pytest.mark.parametrize("name", sorted(claims.CLAIMS))
def test_what_holds_of_any_draw(name):
    claims.check(name, run(name, "jaxdali"))


@pytest.mark.dali
@pytest.mark.parametrize("name", sorted(claims.CLAIMS))
def test_it_holds_of_those_of_dali(name):
    claims.check(name, run(name, "nvidia.dali"))


def test_every_program_is_recorded_and_every_draw_has_a_claim():
    assert sorted(recorded()) == PROGRAMS and len(PROGRAMS) >= 40
    assert {*kinds.KINDS, *kinds.PARTIAL, *kinds.IN_A_PROCESS_OF_ITS_OWN} <= {*PROGRAMS}
    assert sorted(claims.CLAIMS) == sorted(name for name, words in kinds.KINDS.items() if "drawn" in words)
