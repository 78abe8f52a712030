"""An iterator class derived from DALI's: it unpacks the dictionary, and gets its length from internal attributes."""

import math

from nvidia.dali import fn, pipeline_def, types
from nvidia.dali.plugin.base_iterator import LastBatchPolicy
from nvidia.dali.plugin.jax import DALIGenericIterator


@pipeline_def
def pipeline(root):
    jpegs, labels = fn.readers.file(file_root=root, pad_last_batch=True, name="Reader")
    images = fn.decoders.image(jpegs, output_type=types.RGB)
    return fn.crop_mirror_normalize(images, crop=(24, 24), dtype=types.FLOAT), fn.cast(labels, dtype=types.INT64)


class DALIDataloader(DALIGenericIterator):
    def __init__(self, pipeline, size, batch_size, output_map=["data", "label"], auto_reset=True, onehot_label=False):
        self._size_all = size
        self.batch_size = batch_size
        self.onehot_label = onehot_label
        self.output_map = output_map
        super().__init__(
            pipelines=pipeline,
            size=size,
            auto_reset=auto_reset,
            output_map=output_map,
            last_batch_policy=LastBatchPolicy.FILL,
        )

    def __next__(self):
        if self._first_batch is not None:
            batch = self._first_batch
            self._first_batch = None
            return batch["data"], batch["label"]
        data = super().__next__()
        if self.onehot_label:
            return [data[self.output_map[0]], data[self.output_map[1]].squeeze()]
        return [data[self.output_map[0]], data[self.output_map[1]]]

    def __len__(self):
        if self._size_all % self.batch_size == 0:
            return self._size_all // self.batch_size
        return self._size_all // self.batch_size + 1


class LengthIterator(DALIGenericIterator):
    def __len__(self):
        return math.ceil(self._size / (self.batch_size * self._num_gpus))


def main(data):
    pipe = pipeline(data + "/train", batch_size=4, num_threads=2, device_id=None)
    pipe.build()
    loader = DALIDataloader(pipe, pipe.epoch_size("Reader"), 4)
    yield len(loader), loader._size, loader._num_gpus, loader._last_batch_policy == LastBatchPolicy.FILL
    for epoch in range(2):
        for image, label in loader:
            yield image, label
    pipe = pipeline(data + "/val", batch_size=4, num_threads=2, device_id=None)
    counted = LengthIterator([pipe], ["data", "label"], reader_name="Reader", last_batch_policy=LastBatchPolicy.FILL)
    yield len(counted), counted.size
    for batch in counted:
        yield batch["data"], batch["label"]
