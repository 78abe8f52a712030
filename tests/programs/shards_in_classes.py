"""Each process of a distributed job reads its own shard, given by the positional arguments that trainers pass."""

import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


class ShardedPipe(Pipeline):
    def __init__(self, batch_size, num_threads, device_id, data_dir, local_rank, world_size):
        super().__init__(batch_size, num_threads, device_id, 12 + local_rank, True, 2, True)
        self.input = ops.FileReader(
            file_root=data_dir,
            shard_id=local_rank,
            num_shards=world_size,
            random_shuffle=False,
            stick_to_shard=False,
        )
        self.decode = ops.HostDecoder(output_type=types.RGB) if hasattr(ops, "HostDecoder") else ops.ImageDecoder()
        self.crop = ops.Crop(device="cpu", crop=(20, 20))

    def define_graph(self):
        jpegs, labels = self.input(name="Reader")
        return [self.crop(self.decode(jpegs)), labels]


def main(data):
    pipes = [ShardedPipe(2, 2, None, data + "/train", rank, 3) for rank in range(3)]
    for pipe in pipes:
        pipe.build()
        meta = pipe.reader_meta("Reader")
        yield sorted(meta.items())
    for _ in range(4):
        for pipe in pipes:
            yield pipe.run()
