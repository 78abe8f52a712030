"""Patches of arrays on disk: folders and lists of NumPy files, with regions in numbers and in fractions."""

import nvidia.dali.fn as fn
from nvidia.dali import pipeline_def


@pipeline_def(batch_size=2, num_threads=2, device_id=None)
def patches(root):
    whole = fn.readers.numpy(device="cpu", file_root=root, file_filter="*_x.npy", name="whole")
    patch = fn.readers.numpy(
        file_root=root,
        file_filter="*_x.npy",
        roi_start=[0, 1, 1, 2],
        roi_shape=[1, 2, 3, 2],
        cache_header_information=True,
    )
    middle = fn.readers.numpy(
        file_root=root, file_filter="*_x.npy", rel_roi_start=[0.25, 0.25], rel_roi_shape=[0.5, 0.5], roi_axes=[2, 3]
    )
    padded = fn.readers.numpy(
        file_root=root,
        file_filter="*_y.npy",
        roi_start=[0, -1, 0, 0],
        roi_end=[1, 6, 6, 6],
        out_of_bounds_policy="pad",
        fill_value=7,
    )
    return whole, patch, middle, padded


def main(data):
    pipe = patches(data + "/volumes")
    pipe.build()
    yield pipe.epoch_size("whole")
    for _ in range(3):
        yield pipe.run()
