"""Segmentation of volumes: patches of a fixed size at random positions, padded outside of it, and padded batches."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types

RNG = np.random.default_rng(11)
VOLUMES = [RNG.normal(size=(1, 5 + k, 6, 9 - k)).astype(np.float32) for k in range(4)]
CORNERS = [np.int32([k - 1, 2 - k, 3]) for k in range(4)]
PATCH = (4, 5, 6)


@pipeline_def(batch_size=2, num_threads=1, device_id=None)
def patches():
    volumes = fn.external_source(lambda info: VOLUMES[info.idx_in_epoch % 4], batch=False, layout="CDHW")
    corners = fn.external_source(lambda info: CORNERS[info.idx_in_epoch % 4], batch=False)
    labels = fn.cast(volumes > 0.5, dtype=types.UINT8)
    window = dict(start=corners, shape=PATCH, axis_names="DHW", out_of_bounds_policy="pad")
    image, label = fn.slice(volumes, **window), fn.slice(labels, fill_values=7, **window)
    inside = fn.slice(volumes, start=corners, shape=PATCH, axis_names="DHW", out_of_bounds_policy="trim_to_shape")
    return (
        image,
        label,
        inside,
        fn.pad(volumes, axis_names="DHW", align=[4], fill_value=-1.0),
        fn.pad(inside, shape=[1, 7, -1, 7]),
        fn.slice(volumes, rel_start=[0.25, 0.0], rel_shape=[0.5, 0.4], axes=[1, -1]),
        fn.reshape(fn.transpose(volumes, perm=[1, 2, 3, 0]), rel_shape=[1, 1, 1]),
    )


def main(data):
    pipe = patches()
    pipe.build()
    for _ in range(2):
        yield pipe.run()
