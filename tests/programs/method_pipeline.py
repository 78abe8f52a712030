"""A loader class whose pipeline is a method under the decorator, as in larger projects."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def
from nvidia.dali.plugin.base_iterator import LastBatchPolicy
from nvidia.dali.plugin.jax import DALIGenericIterator


class DaliLoader:
    def __init__(self, root, size, batch_size):
        self.root, self.size = root, size
        self.pipe = self.image_pipeline(batch_size=batch_size, num_threads=2, device_id=None, seed=9)
        self.pipe.build()
        self.iterator = DALIGenericIterator(
            [self.pipe],
            ["image", "label"],
            reader_name="reader",
            auto_reset=True,
            last_batch_policy=LastBatchPolicy.PARTIAL,
        )

    @pipeline_def
    def image_pipeline(self):
        jpegs, labels = fn.readers.file(file_root=self.root, pad_last_batch=True, name="reader")
        images = fn.decoders.image(jpegs, output_type=types.RGB)
        images = fn.resize(images, resize_shorter=self.size + 4)
        images = fn.crop_mirror_normalize(
            images,
            crop=(self.size, self.size),
            dtype=types.FLOAT,
            mean=[127.5] * 3,
            std=[127.5] * 3,
            output_layout="HWC",
        )
        return images, labels

    def __iter__(self):
        for batch in self.iterator:
            yield batch["image"], batch["label"]

    def __len__(self):
        return len(self.iterator)


def main(data):
    loader = DaliLoader(data + "/val", 32, 4)
    yield len(loader)
    for epoch in range(2):
        for images, labels in loader:
            yield images, labels
