"""BYOL: two views of each image with randomly changed colours, computed by arithmetic; one of them is solarized."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


def mux(condition, true_case, false_case):
    """Chooses one or the other by a number that is 0 or 1."""
    return condition * true_case + (condition ^ True) * false_case


def view(jpegs, solarize):
    images = fn.decoders.image_random_crop(jpegs, device="cpu", random_area=[0.08, 1.0])
    images = fn.resize(images, size=[32, 32], interp_type=types.INTERP_CUBIC)
    jittered = fn.color_twist(
        images,
        brightness=fn.random.uniform(range=[0.6, 1.4]),
        contrast=fn.random.uniform(range=[0.6, 1.4]),
        saturation=fn.random.uniform(range=[0.8, 1.2]),
        hue=fn.random.uniform(range=[-36.0, 36.0]),
    )
    images = mux(fn.random.coin_flip(probability=0.8, dtype=types.BOOL), jittered, images)
    gray = fn.cat(*[fn.color_space_conversion(images, image_type=types.RGB, output_type=types.GRAY)] * 3, axis=2)
    images = mux(fn.random.coin_flip(probability=0.2, dtype=types.BOOL), gray, images)
    if solarize:
        turned = images * fn.cast(images < 128, dtype=types.UINT8)
        turned = turned + (types.Constant(255).uint8() - images) * fn.cast(images >= 128, dtype=types.UINT8)
        images = mux(fn.random.coin_flip(probability=0.2, dtype=types.BOOL), turned, images)
    return fn.crop_mirror_normalize(
        images,
        mean=[0.485 * 255, 0.456 * 255, 0.406 * 255],
        std=[0.229 * 255, 0.224 * 255, 0.225 * 255],
        mirror=fn.random.coin_flip(),
    )


@pipeline_def(batch_size=3, num_threads=2, device_id=None, seed=17)
def byol_pipeline(root):
    jpegs, labels = fn.readers.file(file_root=root, random_shuffle=True, name="Reader")
    return view(jpegs, False), view(jpegs, True), labels


def main(data):
    pipe = byol_pipeline(data + "/train")
    pipe.build()
    for _ in range(2):
        yield list(pipe.run())
