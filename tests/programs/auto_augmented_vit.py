"""Training a vision transformer: a random crop, an automatic augmentation on shapes of images, and normalisation."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali.auto_aug import auto_augment, rand_augment, trivial_augment
from nvidia.dali.plugin.jax import data_iterator

MEAN = [0.485 * 255, 0.456 * 255, 0.406 * 255]
STD = [0.229 * 255, 0.224 * 255, 0.225 * 255]


def augmented(images, shape, automatic_augmentation):
    if automatic_augmentation == "autoaugment":
        return auto_augment.auto_augment_image_net(images, shape=shape)
    if automatic_augmentation == "randaugment":
        return rand_augment.rand_augment(images, n=2, m=9, shape=shape, monotonic_mag=True)
    if automatic_augmentation == "trivialaugment":
        return trivial_augment.trivial_augment_wide(images, num_magnitude_bins=31, shape=shape)
    return images


@data_iterator(output_map=["images", "labels"], reader_name="Reader", auto_reset=True)
def training_pipeline(root, automatic_augmentation, size=24):
    jpegs, labels = fn.readers.file(file_root=root, random_shuffle=True, seed=3, name="Reader")
    images = fn.decoders.image(jpegs, device="cpu", output_type=types.RGB)
    images = fn.random_resized_crop(images, size=(size, size), random_area=[0.3, 1.0])
    images = fn.flip(images, horizontal=fn.random.coin_flip(probability=0.5))
    images = augmented(images, (size, size), automatic_augmentation)
    images = fn.crop_mirror_normalize(images, dtype=types.FLOAT, output_layout="HWC", mean=MEAN, std=STD)
    return images, labels


def main(data):
    options = {"batch_size": 4, "num_threads": 2, "device_id": None, "seed": 9, "enable_conditionals": True}
    for name in ("autoaugment", "randaugment", "trivialaugment"):
        for step, batch in enumerate(training_pipeline(data + "/train", name, **options)):
            yield batch["images"], batch["labels"].shape
            if step == 1:
                break
