"""Colours, blur, rotations, affine maps, erased boxes and canvases, one after the other and side by side."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


@pipeline_def(batch_size=3, num_threads=2, device_id=None)
def pipeline(root):
    jpegs, _ = fn.readers.file(file_root=root)
    images = fn.decoders.image(jpegs, output_type=types.RGB)
    small = fn.resize(images, size=(40, 48), interp_type=types.INTERP_NN)
    twisted = fn.color_twist(small, brightness=1.2, contrast=0.8, hue=30.0, saturation=1.3)
    hsv = fn.hsv(fn.flip(small), hue=-20.0, saturation=0.7, value=1.1)
    luma = fn.color_space_conversion(small, image_type=types.RGB, output_type=types.GRAY)
    turned = fn.rotate(images, angle=90.0, interp_type=types.INTERP_NN)
    maps = fn.transforms.translation(offset=(3, -2))
    maps = fn.transforms.combine(maps, fn.transforms.scale(scale=(1.0, -1.0), center=(24, 20)))
    moved = fn.warp_affine(small, matrix=maps, fill_value=9, interp_type=types.INTERP_NN)
    erased = fn.erase(small, anchor=(0.25, 0.25), shape=(0.5, 0.25), normalized=True, fill_value=(1, 2, 3))
    pasted = fn.paste(images, ratio=1.5, fill_value=(104, 117, 123), paste_x=0.2, paste_y=0.9)
    return twisted, hsv, luma, turned, moved, erased, pasted, fn.gaussian_blur(small, sigma=0.8)


def main(data):
    pipe = pipeline(data + "/val")
    pipe.build()
    for _ in range(2):
        yield pipe.run()
