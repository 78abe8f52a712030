"""Satellite images of five bands: an index of two of them, selected and normalised bands, and tiles at positions."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def

MEANS, STDS = [900.0, 1000.0, 1100.0, 2000.0, 1500.0], [300.0, 310.0, 320.0, 700.0, 500.0]


def scenes(info):
    rng = np.random.default_rng(info.idx_in_epoch)
    if info.iteration >= 2:
        raise StopIteration
    scene = rng.integers(1, 4000, (24, 20 + info.idx_in_batch, 5), dtype=np.uint16)
    return scene, rng.integers(0, 8, 2).astype(np.float32)


@pipeline_def(batch_size=3, num_threads=2, device_id=None)
def band_pipeline():
    scene, corner = fn.external_source(source=scenes, num_outputs=2, batch=False, layout=["HWC", ""])
    red, infrared = (fn.cast(scene[:, :, k : k + 1], dtype=types.FLOAT) for k in (2, 3))
    index = (infrared - red) / (infrared + red)
    mean, std = np.float32(MEANS).reshape(1, 1, 5), np.float32(STDS).reshape(1, 1, 5)
    bands = fn.normalize(scene, mean=mean, stddev=std, axes=[0, 1], dtype=types.FLOAT)
    tile = fn.slice(
        bands, corner, np.float32([12, 12]), axis_names="HW", normalized_anchor=False, normalized_shape=False
    )
    swapped = fn.stack(*(fn.squeeze(tile[:, :, k : k + 1], axes=[2]) for k in (4, 3, 0)), axis=0)
    clear = fn.reductions.mean(fn.cast(scene > 200, dtype=types.FLOAT))
    padded = fn.pad(fn.transpose(scene, perm=[2, 0, 1]), axis_names="HW", shape=[32, 32], fill_value=7)
    return (
        fn.cat(fn.slice(index, rel_start=[0.0, 0.0], rel_shape=[0.5, 0.5], axes=[0, 1])),
        tile,
        swapped,
        clear,
        padded,
    )


def main(data):
    pipe = band_pipeline()
    pipe.build()
    while True:
        try:
            yield pipe.run()
        except StopIteration:
            break
