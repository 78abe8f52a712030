"""Volumes with channels first, and their labels, augmented as by nnU-Net: a patch is rotated around an axis, blurred
with its own random sigma if a coin says so, scaled and mirrored; labels keep their classes.
"""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


def patients():
    k = 0
    while True:
        rng = np.random.default_rng(k)
        k += 1
        shapes = [(12 + row, 16 - row, 14) for row in range(2)]
        images = [rng.random((2, *shape), np.float32) for shape in shapes]
        labels = [(image[:1] * 3).astype(np.uint8) for image in images]
        angles = [np.float32(rng.uniform(-30, 30)) for _ in shapes]
        sigmas = [np.float32(rng.uniform(0.5, 1.5)) for _ in shapes]
        coins = [np.float32(row == k % 2) for row in range(2)]
        yield images, labels, angles, sigmas, coins


@pipeline_def(batch_size=2, num_threads=2, device_id=None)
def training():
    image, label, angle, sigma, blurred = fn.external_source(
        source=patients, num_outputs=5, layout=["CDHW", "CDHW", None, None, None]
    )
    image, label = (fn.crop(one, crop=(10, 12, 11), crop_pos_z=0.5, crop_pos_x=0.0) for one in (image, label))
    image = fn.transpose(image, perm=[1, 2, 3, 0], output_layout="DHWC")
    label = fn.transpose(label, perm=[1, 2, 3, 0], output_layout="DHWC")
    turn = {"angle": angle, "axis": (0, 0, 1), "keep_size": True, "fill_value": 0}
    image = fn.rotate(image, interp_type=types.INTERP_LINEAR, **turn)
    label = fn.rotate(label, interp_type=types.INTERP_NN, **turn)
    blur = fn.gaussian_blur(image, sigma=sigma)
    image = blurred * blur + (1.0 - blurred) * image
    image, label = (fn.flip(one, horizontal=1, vertical=0, depthwise=1) for one in (image, label))
    low = fn.warp_affine(image, matrix=(2.0, 0, 0, 0, 0, 2.0, 0, 0, 0, 0, 2.0, 0), size=(5, 6, 5))
    return fn.transpose(image, perm=[3, 0, 1, 2], output_layout="CDHW"), label, low


def main(data):
    pipe = training()
    pipe.build()
    for _ in range(2):
        yield pipe.run()
