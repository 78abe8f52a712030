"""Scores of sharpness: the variance of images' Laplacian, with and without blur, for several windows."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


@pipeline_def(batch_size=3, num_threads=2, device_id=None)
def scores(root):
    files, labels = fn.readers.file(file_root=root)
    gray = fn.decoders.image(files, output_type=types.GRAY)
    found = []
    for one in (gray, fn.gaussian_blur(gray, window_size=5)):
        for size in (3, 7):
            details = fn.laplacian(one, window_size=size, normalized_kernel=True, dtype=types.FLOAT)
            found.append(fn.reductions.variance(details, fn.reductions.mean(details)))
    edges = fn.laplacian(gray, smoothing_size=1)
    return *found, edges, labels


def main(data):
    pipe = scores(data + "/val")
    pipe.build()
    for _ in range(2):
        yield pipe.run()
