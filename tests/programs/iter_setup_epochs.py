"""The external source of old tutorials: iter_setup feeds it, and ends the epoch when there are no more data."""

import random
import types as python_types

import numpy as np
import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline
from nvidia.dali.plugin.base_iterator import LastBatchPolicy
from nvidia.dali.plugin.jax import DALIGenericIterator


class ExternalInputIterator(object):
    def __init__(self, batch_size, data, shard_id, num_shards):
        self.images_dir = data
        self.batch_size = batch_size
        with open(data + "/train.txt", "r") as f:
            self.files = [line.rstrip() for line in f]
        # whole data set size
        self.data_set_len = len(self.files)
        # based on the shard_id and total number of GPUs - world size get proper shard
        first = self.data_set_len * shard_id // num_shards
        self.files = self.files[first : self.data_set_len * (shard_id + 1) // num_shards]
        self.n = len(self.files)
        self.random = random.Random(7)

    def __iter__(self):
        self.i = 0
        self.random.shuffle(self.files)
        return self

    def __next__(self):
        batch = []
        labels = []

        if self.i >= self.n:
            self.__iter__()
            raise StopIteration

        for _ in range(self.batch_size):
            jpeg_filename, label = self.files[self.i % self.n].split(" ")
            batch.append(np.fromfile(self.images_dir + "/" + jpeg_filename, dtype=np.uint8))
            labels.append(np.array([label], dtype=np.int32))
            self.i += 1
        return (batch, labels)

    @property
    def size(self):
        return self.data_set_len

    next = __next__


class ExternalSourcePipeline(Pipeline):
    def __init__(self, batch_size, num_threads, device_id, external_data):
        super(ExternalSourcePipeline, self).__init__(batch_size, num_threads, device_id, seed=12)
        self.input = ops.ExternalSource()
        self.input_label = ops.ExternalSource()
        self.decode = ops.ImageDecoder(device="cpu", output_type=types.RGB)
        self.crop = ops.Crop(device="cpu", crop=(32, 32))
        self.cast = ops.Cast(device="cpu", dtype=types.INT64)
        self.external_data = external_data
        self.iterator = iter(self.external_data)

    def define_graph(self):
        self.jpegs = self.input()
        self.labels = self.input_label()
        images = self.decode(self.jpegs)
        output = self.crop(images)
        return (output, self.cast(self.labels))

    def iter_setup(self):
        try:
            (images, labels) = self.iterator.next()
            self.feed_input(self.jpegs, images)
            self.feed_input(self.labels, labels)
        except StopIteration:
            self.iterator = iter(self.external_data)
            raise StopIteration


def main(data):
    args = python_types.SimpleNamespace(batch_size=3, shard_id=0, num_shards=1)
    eii = ExternalInputIterator(args.batch_size, data, args.shard_id, args.num_shards)
    pipe = ExternalSourcePipeline(batch_size=args.batch_size, num_threads=2, device_id=None, external_data=eii)
    pipe.build()
    for epoch in range(2):
        while True:
            try:
                yield pipe.run()
            except StopIteration:
                pipe.reset()
                break
    pipe = ExternalSourcePipeline(batch_size=args.batch_size, num_threads=2, device_id=None, external_data=eii)
    loader = DALIGenericIterator(
        pipe, ["data", "label"], size=eii.size, last_batch_padded=True, last_batch_policy=LastBatchPolicy.FILL
    )
    for epoch in range(2):
        for batch in loader:
            yield batch["data"], batch["label"]
        loader.reset()
