"""What a program asks a pipeline about itself and its readers in order to plan epochs."""

from nvidia.dali import fn, pipeline_def


@pipeline_def(batch_size=4, num_threads=3, device_id=None, seed=33)
def pipeline(root, shards):
    _, train = fn.readers.file(file_root=root + "/train", num_shards=shards, shard_id=0, name="train")
    _, val = fn.readers.file(file_root=root + "/val", pad_last_batch=True, stick_to_shard=True, name="val")
    return train, val


def main(data):
    for shards in (1, 3):
        pipe = pipeline(data, shards)
        pipe.build()
        yield sorted(pipe.epoch_size().items())
        yield pipe.epoch_size("train"), pipe.epoch_size(name="val")
        yield sorted(pipe.reader_meta("val").items())
        yield [sorted(meta.items()) for _, meta in sorted(pipe.reader_meta().items())]
        yield pipe.batch_size, pipe.max_batch_size, pipe.num_threads, pipe.device_id, pipe.seed
        yield pipe.num_outputs if hasattr(pipe, "num_outputs") else None, pipe.exec_pipelined, pipe.exec_async
        yield pipe.run()
