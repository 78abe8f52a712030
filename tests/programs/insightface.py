"""Face recognition: a coin tossed outside the pipeline, augmentations mixed by arithmetic, a wrapped iterator."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline
from nvidia.dali.plugin.jax import DALIGenericIterator


def multiplexing(condition, true_case, false_case):
    neg_condition = condition ^ True
    return condition * true_case + neg_condition * false_case


def dali_random_resize(img, resize_size, image_size=32):
    img = fn.resize(img, resize_x=resize_size, resize_y=resize_size)
    img = fn.resize(img, size=(image_size, image_size))
    return img


def dali_data_iter(
    batch_size, root, num_threads, initial_fill=1024, random_shuffle=False, prefetch_queue_depth=1, name="reader"
):
    pipe = Pipeline(
        batch_size=batch_size,
        num_threads=num_threads,
        device_id=None,
        prefetch_queue_depth=prefetch_queue_depth,
        seed=3,
    )
    condition_resize = fn.random.coin_flip(probability=0.1)
    size_resize = fn.random.uniform(range=(int(32 * 0.5), int(32 * 0.8)), shape=[])
    condition_flip = fn.random.coin_flip(probability=0.5)
    with pipe:
        jpegs, labels = fn.readers.file(
            file_root=root,
            initial_fill=initial_fill,
            num_shards=1,
            shard_id=0,
            random_shuffle=random_shuffle,
            pad_last_batch=False,
            name=name,
        )
        images = fn.decoders.image(jpegs, device="cpu", output_type=types.RGB)
        images = fn.resize(images, size=(32, 32))
        images = fn.cast(images, dtype=types.UINT8)
        images = multiplexing(condition_resize, dali_random_resize(images, size_resize), images)
        images = fn.crop_mirror_normalize(
            images, dtype=types.FLOAT, mean=[127.5, 127.5, 127.5], std=[127.5, 127.5, 127.5], mirror=condition_flip
        )
        pipe.set_outputs(images, labels)
    pipe.build()
    return DALIWrapper(DALIGenericIterator(pipelines=[pipe], output_map=["data", "label"], reader_name=name))


class DALIWrapper:
    def __init__(self, dali_iter):
        self.iter = dali_iter

    def __next__(self):
        data_dict = self.iter.__next__()
        return data_dict["data"], data_dict["label"]

    def __iter__(self):
        return self

    def reset(self):
        self.iter.reset()


def main(data):
    train_loader = dali_data_iter(4, data + "/train", num_threads=2)
    for epoch in range(2):
        for img, local_labels in train_loader:
            yield img, local_labels
        train_loader.reset()
