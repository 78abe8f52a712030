"""Loops over lists of unknown length, unrolled in the definition: a branch for each possible element."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types

LONGEST = 6


@pipeline_def(batch_size=3, num_threads=1, device_id=None, enable_conditionals=True)
def objects():
    lengths = np.array([2, 4, 3], np.int32)
    found = fn.external_source(lambda: [np.arange(1, 1 + length, dtype=np.int32) for length in lengths])
    # There are four elements, more than any sample has.
    places = fn.constant(idata=[5, 6, 7, 8], shape=(4,), dtype=types.INT32)
    count = found.shape(dtype=types.INT32)[0]
    total, behind = 0, 0
    for index in range(LONGEST):
        if index < count:
            total = total + found[index]
            behind += places[index]
    state = {"many": 1.0, "few": 2.0}
    if count > 2:
        state = {"many": 4.0, "few": 5.0}
    return total, behind, state["many"], state["few"]


@pipeline_def(batch_size=2, num_threads=1, device_id=None)
def pruned():
    data = fn.constant(fdata=0.0, shape=(5,), dtype=types.FLOAT)
    inside, outside = data[0] + 20.0, data[100] + 30.0
    assert outside is not None  # it is not used, so it is never computed
    return inside


def main(data):
    for pipe in (objects(), pruned()):
        pipe.build()
        yield pipe.run()
