"""Instance masks: selected polygons, crops around random pixels, boxes of masks by reductions, and one-hot classes."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types


def instance(info):
    k = info.idx_in_epoch
    rng = np.random.default_rng(k)
    image = rng.integers(0, 256, (16, 20, 3), np.uint8)
    mask = np.zeros((16, 20, 1), np.uint8)
    mask[3 + k % 3 : 9, 4 : 10 + k % 4] = 1 + k % 3
    ends = np.cumsum([3, 4 + k % 2, 5])
    polygons = np.int32([[1, 0, ends[0]], [4, ends[0], ends[1]], [7, ends[1], ends[2]]])
    vertices = rng.uniform(0, 1, (ends[-1], 2)).astype(np.float32)
    return image, mask, polygons, vertices


@pipeline_def(batch_size=3, num_threads=2, device_id=None, seed=9)
def instances():
    layouts = ["HWC", "HWC", "", ""]
    image, mask, polygons, vertices = fn.external_source(instance, batch=False, num_outputs=4, layout=layouts)
    chosen = types.Constant(np.int32([7, 1]), device="cpu")
    kept, corners = fn.segmentation.select_masks(chosen, polygons, vertices, reindex_masks=True)
    corners = fn.cast(fn.coord_transform(corners, M=[200, 0, 0, 160]), dtype=types.INT32)
    foreground = mask > 0
    area = fn.reductions.sum(fn.cast(foreground, dtype=types.INT32), axes=[0, 1])
    kinds = fn.squeeze(fn.one_hot(mask, num_classes=4, dtype=types.UINT8), axes=[2])
    frequent = fn.reductions.max(kinds, axes=[0, 1])
    cut_out = image * fn.cast(foreground, dtype=types.UINT8)
    squares = fn.grid_mask(image, tile=6, ratio=0.5, shift_x=1.0)
    centre = fn.segmentation.random_mask_pixel(mask, foreground=1)
    anchor = fn.cast(fn.slice(centre, 0, 2, axes=[0]), dtype=types.INT32) - types.Constant(
        np.int32([3, 3]), device="cpu"
    )
    about = fn.slice(mask, anchor, [7, 7], axes=[0, 1], out_of_bounds_policy="pad")
    return kept, corners, area, frequent, cut_out, squares, about


def main(data):
    pipe = instances()
    pipe.build()
    for _ in range(2):
        yield list(pipe.run())
