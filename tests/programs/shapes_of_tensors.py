"""Arrays that differ in size: channels first, flattened, joined, one-hot labels, tables of classes."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types

RNG = np.random.default_rng(7)
IMAGES = [RNG.integers(0, 256, (4 + k, 9 - k, 3)).astype(np.uint8) for k in range(6)]
LABELS = [np.int32(k % 4) for k in range(6)]


@pipeline_def(batch_size=3, num_threads=1, device_id=None)
def shapes():
    images = fn.external_source(lambda info: IMAGES[info.idx_in_epoch % 6], batch=False, layout="HWC")
    labels = fn.external_source(lambda info: LABELS[info.idx_in_epoch % 6], batch=False)
    planes = fn.transpose(images, perm=[2, 0, 1])
    flat = fn.reshape(images, shape=[-1])
    pixels = fn.reshape(images, rel_shape=[-1, 1], src_dims=[1, 2])
    both = fn.cat(flat, fn.reshape(planes, shape=[-1]))
    views = fn.stack(images, fn.zeros_like(images), axis_name="F")
    first, second = fn.element_extract(views, element_map=[0, 1])
    columns = fn.cat(images, images[:, :2], axis_name="W")
    mask = fn.lookup_table(images, keys=[3, 5, 8], values=[1, 2, 3], dtype=types.UINT8)
    return (
        planes,
        flat,
        pixels,
        both,
        views,
        first,
        second,
        columns,
        mask,
        fn.one_hot(labels, num_classes=4),
        fn.one_hot(images, num_classes=2, axis=0, axis_name="N", dtype=types.INT32),
        fn.squeeze(fn.expand_dims(planes, axes=[0], new_axis_names="D"), axis_names="D"),
        fn.reinterpret(fn.full(types.Constant([1.5]), shape=[2]), dtype=types.INT32, layout="X"),
        fn.stack(labels, fn.constant(idata=7, shape=[]), fn.cast_like(fn.ones(dtype=types.FLOAT), labels)),
        fn.full_like(images, 3),
    )


def main(data):
    pipe = shapes()
    pipe.build()
    for _ in range(2):
        yield pipe.run()
