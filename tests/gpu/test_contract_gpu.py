"""Every operator computes on a GPU what it computes on the CPU: no operator's record says otherwise."""

from __future__ import annotations

import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "contract"))

from operator_cases import COMPUTED, LARGE, SEED, SMALL, base, inputs_of, samples_of

from jaxdali import Pipeline

pytestmark = pytest.mark.gpu


# Those that can be placed on only one device have nothing to be compared with.
OURS = {name: one for name, one in COMPUTED.items() if one.namespace == "fn" and len(one.devices) > 1}


@pytest.mark.parametrize("one", OURS.values(), ids=OURS)
def test_a_gpu_computes_what_the_cpu_does(one):
    found = []
    for device in ("cpu", "gpu"):
        pipe = Pipeline(batch_size=3, seed=SEED, device_id=0, prefetch_queue_depth=1)
        place = {"device": "mixed" if "mixed" in one.devices and device == "gpu" else device}
        decoder = {"decoder": "cpu"} if one.decoding is not None else {}
        made = one(*inputs_of(one, [[SMALL, LARGE, SMALL]]), **base(one), **decoder, **place)
        pipe.set_outputs(made)
        with pipe:
            found.append(samples_of(pipe.run()[0].as_cpu()))
    for one_sample, other in zip(*found, strict=True):
        if one_sample.dtype.kind == "f":
            # Errors of sums of products are relative to their largest terms, not to what remains of them.
            largest = max(1.0, float(np.abs(other).max(initial=0.0)))
            np.testing.assert_allclose(one_sample, other, rtol=2e-6, atol=2e-6 * largest)
        else:
            np.testing.assert_array_equal(one_sample, other)
