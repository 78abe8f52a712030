"""What DALI answers is answered here, too, in the same way: spellings, and arguments that depend on data."""

from __future__ import annotations

import json

import numpy as np
import pytest
from answered_programs import RECORD, first_batch
from rare_programs import ANSWERED

RECORDED = json.loads(RECORD.read_text())


def check(found, wanted):
    assert [output[:2] for output in found] == [output[:2] for output in wanted]
    for place, ((*_, samples), (*_, rights)) in enumerate(zip(found, wanted, strict=True)):
        for sample, right in zip(samples, rights, strict=True):
            assert np.shape(sample) == np.shape(right), place
            largest = np.max(np.abs(right), initial=1)
            np.testing.assert_allclose(sample, right, rtol=1e-6, atol=1e-6 * largest, err_msg=f"output {place}")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", ANSWERED)
def test_batches_are_those_recorded_from_dali(name):
    check(first_batch(name, "jaxdali"), RECORDED[name])


@pytest.mark.dali
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", ANSWERED)
def test_the_record_is_what_dali_returns(name):
    check(first_batch(name, "nvidia.dali"), RECORDED[name])


def test_every_program_is_recorded():
    assert list(RECORDED) == list(ANSWERED)
