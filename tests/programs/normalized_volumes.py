"""Medical volumes: their minimum and maximum, normalized over the batch, by themselves, and by given moments."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types

RNG = np.random.default_rng(3)
SCANS = [RNG.integers(0, 9, (1, 4 + k, 6, 5)).astype(np.float32) for k in range(4)]


@pipeline_def(batch_size=2, num_threads=1, device_id=None)
def normalized():
    scans = fn.external_source(lambda info: SCANS[info.idx_in_epoch % 4], batch=False, layout="CDHW")
    low, high = fn.reductions.min(scans), fn.reductions.max(scans)
    return (
        fn.normalize(scans, mean=4.0, stddev=2.0, scale=16.0, shift=128.0, dtype=types.UINT8),
        low,
        high,
        fn.reductions.max(scans, axis_names="HW", keep_dims=True),
        fn.reductions.sum(fn.cast(scans, dtype=types.UINT8), axes=[-1]),
        fn.cast(fn.reductions.sum(scans, axes=[1, 2]) * 2, dtype=types.INT32),
        fn.cast(fn.normalize(scans, axes=[1, 2, 3]) * 100.0, dtype=types.INT16) < 1000,
        fn.cast(fn.normalize(scans, batch=True) * 0.001, dtype=types.INT16),
    )


def main(data):
    pipe = normalized()
    pipe.build()
    for _ in range(2):
        yield pipe.run()
