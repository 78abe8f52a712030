"""What operators make of images without rows or columns, compared with NVIDIA's DALI."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from beside_dali import SYSTEMS, load, pipeline
from empty_images import BATCHES, ONES_OWN, OPERATIONS, outputs

pytestmark = pytest.mark.dali


@pytest.mark.parametrize("name", BATCHES)
def test_empty_images(name):
    found = []
    for system in SYSTEMS:
        dali = load(system)
        with pipeline(dali) as pipe:
            pipe.set_outputs(*outputs(dali, BATCHES[name]))
        pipe.build()
        found.append(pipe.run())
    for operation, theirs, ours in zip(OPERATIONS, *found, strict=True):
        if name.startswith("one of two") and operation in ONES_OWN:
            continue
        assert (ours.dtype.name, ours.layout()) == (theirs.dtype.name, theirs.layout()), operation
        for row in range(2):
            right, got = np.array(theirs.at(row)), np.array(ours.at(row))
            # Halves of levels may be rounded either way.
            atol = 1 if got.dtype == np.uint8 else 1e-6
            np.testing.assert_allclose(got.astype(float), right, rtol=1e-6, atol=atol, err_msg=operation)
            assert got.shape == right.shape, operation


def test_what_holds_no_number_is_left_out_of_a_concatenation():
    found = []
    for system in SYSTEMS:
        dali = load(system)
        with pipeline(dali) as pipe:
            full, wide, empty = (
                dali.fn.external_source(itertools.repeat([np.full(shape, 3, np.uint8)] * 2), layout="HWC")
                for shape in ((2, 3, 3), (0, 5, 3), (4, 0, 3))
            )
            pipe.set_outputs(dali.fn.cat(wide, full), dali.fn.cat(full, empty, axis=2), dali.fn.cat(wide, wide, axis=1))
        pipe.build()
        found.append([(out.layout(), np.array(out.at(0))) for out in pipe.run()])
    for theirs, ours in zip(*found, strict=True):
        assert ours[0] == theirs[0]
        np.testing.assert_array_equal(ours[1], theirs[1], strict=True)
