"""A trainer's data module: one pipeline function with a flag for training, and a wrapper that unpacks and counts."""

import math

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali.pipeline import pipeline_def
from nvidia.dali.plugin.base_iterator import LastBatchPolicy
from nvidia.dali.plugin.jax import DALIGenericIterator


@pipeline_def
def create_dali_pipeline(data_dir, crop, size, shard_id, num_shards, dali_cpu=False, is_training=True):
    images, labels = fn.readers.file(
        file_root=data_dir,
        shard_id=shard_id,
        num_shards=num_shards,
        random_shuffle=is_training,
        pad_last_batch=True,
        name="Reader",
    )
    dali_device = "cpu" if dali_cpu else "gpu"
    decoder_device = "cpu" if dali_cpu else "mixed"
    images = fn.decoders.image(images, device=decoder_device, output_type=types.RGB)
    images = fn.resize(images, device=dali_device, size=size, mode="not_smaller", interp_type=types.INTERP_TRIANGULAR)
    images = fn.crop_mirror_normalize(
        images if dali_cpu else images.gpu(),
        dtype=types.FLOAT,
        output_layout="CHW",
        crop=(crop, crop),
        mean=[0.485 * 255, 0.456 * 255, 0.406 * 255],
        std=[0.229 * 255, 0.224 * 255, 0.225 * 255],
        mirror=False,
    )
    labels = labels if dali_cpu else labels.gpu()
    return images, fn.cast(fn.squeeze(labels, axes=[0]), dtype=types.INT64)


class DALIWrapper(DALIGenericIterator):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.batches = 0

    def __next__(self):
        out = super().__next__()
        self.batches += 1
        return out["data"], out["label"]

    def __len__(self):
        return math.ceil(self._size / self.batch_size)


def main(data):
    pipe = create_dali_pipeline(
        batch_size=4,
        num_threads=2,
        device_id=None,
        seed=12 + 0,
        data_dir=data + "/val",
        crop=32,
        size=40,
        dali_cpu=True,
        shard_id=0,
        num_shards=1,
        is_training=False,
    )
    pipe.build()
    loader = DALIWrapper(
        pipe, ["data", "label"], reader_name="Reader", last_batch_policy=LastBatchPolicy.FILL, auto_reset=True
    )
    yield len(loader)
    for _ in range(2):
        for images, labels in loader:
            yield [images, labels]
    yield loader.batches
