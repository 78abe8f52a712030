"""A pipeline that only reads, saved as a string and loaded with another batch size."""

from nvidia.dali import fn, pipeline_def
from nvidia.dali.pipeline import Pipeline


@pipeline_def(batch_size=2, num_threads=2, device_id=None, seed=19)
def reading(root):
    jpegs, labels = fn.readers.file(file_root=root, num_shards=2, shard_id=1, name="files")
    return fn.crop(fn.decoders.image(jpegs), crop=(16, 18)), labels


def main(data):
    serialized = reading(data + "/train").serialize()
    pipe = Pipeline.deserialize(serialized, batch_size=3)
    pipe.build()
    yield pipe.max_batch_size, pipe.num_threads, pipe.epoch_size("files")
    for _ in range(2):
        yield pipe.run()
