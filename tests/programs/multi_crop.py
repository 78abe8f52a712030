"""Views for self-supervised learning: global and local crops of one decoded image, each with its own draws."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def
from nvidia.dali.plugin.jax import DALIGenericIterator

MEAN = [0.485 * 255, 0.456 * 255, 0.406 * 255]
STD = [0.229 * 255, 0.224 * 255, 0.225 * 255]


def view(images, size, area):
    images = fn.random_resized_crop(images, size=size, random_area=area, interp_type=types.INTERP_CUBIC)
    images = fn.brightness_contrast(
        images,
        brightness=fn.random.uniform(range=[0.6, 1.4]),
        contrast=fn.random.uniform(range=[0.6, 1.4]),
        contrast_center=128.0,
    )
    return fn.crop_mirror_normalize(
        images,
        dtype=types.FLOAT,
        output_layout="HWC",
        mean=MEAN,
        std=STD,
        mirror=fn.random.coin_flip(probability=0.5),
    )


@pipeline_def(enable_conditionals=False)
def multi_crop_pipeline(root, file_list):
    jpegs, labels = fn.readers.file(file_root=root, file_list=file_list, random_shuffle=False, name="Reader")
    images = fn.decoders.image(jpegs, device="cpu", output_type=types.RGB)
    views = [view(images, 32, [0.4, 1.0]) for _ in range(2)] + [view(images, 16, [0.05, 0.4]) for _ in range(3)]
    return (*views, labels)


def main(data):
    pipe = multi_crop_pipeline(data, data + "/train.txt", batch_size=3, num_threads=2, device_id=None, seed=77)
    names = ["global_0", "global_1", "local_0", "local_1", "local_2", "labels"]
    loader = DALIGenericIterator(pipe, names, reader_name="Reader", auto_reset=True)
    for step, batch in enumerate(loader):
        yield [batch[name] for name in names]
        if step == 1:
            break
