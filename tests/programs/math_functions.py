"""Gamma correction and other functions of nodes from nvidia.dali.math."""

import numpy as np
from nvidia.dali import fn, math, pipeline_def, types


@pipeline_def(batch_size=2, num_threads=1, device_id=None)
def gamma(source):
    x = fn.external_source(source=source, batch=False)
    unit = fn.cast(x, dtype=types.FLOAT) / 255.0
    return (
        math.clamp(unit * 2.0, 0.25, 1.5),
        math.sqrt(unit),
        math.max(x, 100) - math.min(x, 50),
        math.floor(unit * 10.0),
        math.abs(fn.cast(x, dtype=types.INT16) - 128),
        x // 7,
        (x > 128) & (x < 200),
    )


def main(data):
    pipe = gamma(lambda info: np.arange(12, dtype=np.uint8).reshape(3, 4) * 20 + info.idx_in_epoch)
    pipe.build()
    for _ in range(2):
        yield pipe.run()
