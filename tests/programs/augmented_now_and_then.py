"""Training in which only some images are augmented: coins, `and`, early returns, and a Python flag."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali.plugin.jax import data_iterator


def coin(probability):
    return fn.random.coin_flip(probability=probability, dtype=types.BOOL)


class Augmentation:
    def __init__(self, strength, probability):
        self.strength = strength
        self.probability = probability

    def jitter(self, images):
        low, high = 1 - self.strength, 1 + self.strength
        return fn.brightness_contrast(
            images,
            brightness=fn.random.uniform(range=(low, high)),
            contrast=fn.random.uniform(range=(low, high)),
        )

    def __call__(self, images):
        if coin(self.probability) and coin(0.9):
            images = self.jitter(images)
        return images


def mirrored(images):
    if coin(0.5):
        return fn.flip(images)
    return images


@data_iterator(output_map=["images", "labels", "mirrored"], reader_name="Reader", auto_reset=True)
def train_pipeline(root, augmentation=None):
    jpegs, labels = fn.readers.file(file_root=root, random_shuffle=True, seed=11, name="Reader")
    images = fn.decoders.image(jpegs, device="cpu", output_type=types.RGB)
    images = fn.random_resized_crop(images, size=(24, 24), random_aspect_ratio=(0.9, 1.1))
    if augmentation is not None:
        images = augmentation(images)
    images = mirrored(images)
    wide = coin(0.5)
    if wide:
        number = fn.random.uniform(range=(2.0, 3.0))
    else:
        number = fn.random.uniform(range=(-3.0, -2.0))
    images = fn.crop_mirror_normalize(images, dtype=types.FLOAT, output_layout="HWC", mean=[128.0], std=[64.0])
    return images, labels, number


def main(data):
    options = {"batch_size": 4, "num_threads": 2, "device_id": None, "seed": 5, "enable_conditionals": True}
    for augmentation in (None, Augmentation(0.2, 0.7)):
        batches = train_pipeline(data + "/train", augmentation, **options)
        for step, batch in enumerate(batches):
            yield batch["images"], batch["mirrored"], batch["labels"].shape
            if step == 1:
                break
