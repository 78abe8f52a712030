"""Photographs of pages, rectified by their four given corners; and the same pages in gray, through a lens, under water,
and as another camera sees them.
"""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def

HEIGHT, WIDTH = 36, 28


def perspective(corners):
    """Returns the map from a page's pixels to its four corners in the photograph, by solving eight equations."""
    rows, right = [], []
    for (x, y), (u, v) in zip([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], corners, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    return np.append(np.linalg.solve(rows, right), 1).reshape(3, 3).astype(np.float32)


def photographs(info):
    rng = np.random.default_rng(info.idx_in_epoch)
    lines = np.add.outer(np.arange(48) % 6 * 40, np.arange(40) * 1.25)[..., None]
    page = (lines + rng.uniform(0, 5, (48, 40, 3))).astype(np.uint8)
    corners = np.array([(4, 5), (36, 3), (37, 44), (2, 46)]) + rng.uniform(-2, 2, (4, 2))
    return page, perspective(corners)


@pipeline_def(batch_size=3, num_threads=2, device_id=None)
def pages():
    photos, corners = fn.external_source(source=photographs, num_outputs=2, batch=False, layout=["HWC", None])
    flat = fn.experimental.warp_perspective(photos, corners, size=(HEIGHT, WIDTH), border_mode="replicate")
    gray = fn.color_space_conversion(flat, image_type=types.RGB, output_type=types.GRAY)
    seen = fn.experimental.warp_perspective(
        flat, matrix=corners, inverse_map=False, size=(48, 40), fill_value=[10, 20, 30], interp_type=types.INTERP_CUBIC
    )
    bulged = fn.sphere(flat, interp_type=types.INTERP_LINEAR, fill_value=128)
    waved = fn.water(flat, ampl_x=2.0, ampl_y=1.5, freq_x=0.4, freq_y=0.3, phase_x=0.5, interp_type=types.INTERP_LINEAR)
    ready = fn.crop_mirror_normalize(gray, mean=[127.0], std=[64.0], dtype=types.FLOAT, output_layout="CHW")
    return flat, ready, seen, bulged, waved


def main(data):
    pipe = pages()
    pipe.build()
    for _ in range(2):
        yield pipe.run()
