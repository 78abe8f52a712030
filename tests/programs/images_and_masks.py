"""Segmentation from two folders: two readers with the same seed shuffle alike, so each image comes with its mask."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def
from nvidia.dali.plugin.jax import DALIGenericIterator


@pipeline_def(batch_size=4, num_threads=2, device_id=None, enable_conditionals=True)
def segmentation_pipeline(image_root, mask_root, seed, crop=24):
    options = {"random_shuffle": True, "seed": seed, "pad_last_batch": True, "shuffle_after_epoch": False}
    images, image_ids = fn.readers.file(file_root=image_root, name="images", **options)
    masks, mask_ids = fn.readers.file(file_root=mask_root, name="masks", **options)
    images = fn.decoders.image(images, output_type=types.RGB)
    masks = fn.decoders.image(masks, output_type=types.RGB)
    flip = fn.random.coin_flip(probability=0.5)
    x, y = fn.random.uniform(range=(0.0, 1.0)), fn.random.uniform(range=(0.0, 1.0))
    window = {"crop": (crop, crop), "crop_pos_x": x, "crop_pos_y": y}
    images = fn.crop_mirror_normalize(images, mirror=flip, dtype=types.FLOAT, output_layout="HWC", **window)
    masks = fn.flip(fn.crop(masks, **window), horizontal=flip)
    return images, fn.cast(masks, dtype=types.INT32), image_ids, mask_ids


def main(data):
    pipe = segmentation_pipeline(data + "/train", data + "/train", 99)
    loader = DALIGenericIterator(pipe, ["image", "mask", "id", "mask_id"], reader_name="images", auto_reset=True)
    for epoch in range(2):
        for batch in loader:
            yield batch["image"], batch["mask"], batch["id"], batch["mask_id"]
