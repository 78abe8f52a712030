"""Training by steps, not epochs: the pipeline never ends, reshuffles each epoch, and takes turns with the shards."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


def get_pipeline(folder, batch_size, num_threads, device_id, shard_id, num_shards, total_steps):
    pipe = Pipeline(batch_size, num_threads, device_id, seed=1234 + shard_id)
    with pipe:
        raw, label = fn.readers.file(
            file_root=folder,
            shard_id=shard_id,
            num_shards=num_shards,
            shuffle_after_epoch=True,
            prefetch_queue_depth=2,
            dont_use_mmap=True,
            name="Reader",
        )
        image = fn.decoders.image(raw, output_type=types.RGB)
        image = fn.crop(image, crop=(20, 24), crop_pos_x=0.0, crop_pos_y=0.0)
        pipe.set_outputs(image, label)
    pipe.build()
    return pipe


def main(data):
    pipes = [get_pipeline(data + "/train", 3, 2, None, shard, 2, 8) for shard in range(2)]
    for step in range(8):
        for pipe in pipes:
            images, labels = pipe.run()
            yield images, labels
