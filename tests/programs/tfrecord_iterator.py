"""TFRecord files with the functional API: any number of boxes, and an iterator that gets the reader's name."""

import nvidia.dali.fn as fn
import nvidia.dali.tfrecord as tfrec
import nvidia.dali.types as types
from nvidia.dali import pipeline_def
from nvidia.dali.plugin.base_iterator import LastBatchPolicy
from nvidia.dali.plugin.jax import DALIGenericIterator


@pipeline_def(batch_size=4, num_threads=2, device_id=None)
def tfrecord_pipeline(data_dir):
    inputs = fn.readers.tfrecord(
        path=[data_dir + "/train-0.tfrecord", data_dir + "/train-1.tfrecord"],
        index_path=[data_dir + "/train-0.tfrecord.idx", data_dir + "/train-1.tfrecord.idx"],
        features={
            "image/encoded": tfrec.FixedLenFeature((), tfrec.string, ""),
            "image/height": tfrec.FixedLenFeature([1], tfrec.int64, 0),
            "image/class/label": tfrec.FixedLenFeature([1], tfrec.int64, -1),
        },
        pad_last_batch=True,
        read_ahead=True,
        dont_use_mmap=True,
        name="Reader",
    )
    images = fn.decoders.image(inputs["image/encoded"], device="cpu", output_type=types.RGB)
    images = fn.crop_mirror_normalize(images, crop=(24, 24), dtype=types.FLOAT, output_layout="CHW", std=[255.0])
    return images, fn.cast(inputs["image/class/label"], dtype=types.INT32), inputs["image/height"]


def main(data):
    pipe = tfrecord_pipeline(data + "/tfrecords")
    iterator = DALIGenericIterator(
        pipe,
        ["image", "label", "height"],
        reader_name="Reader",
        last_batch_policy=LastBatchPolicy.FILL,
        auto_reset=True,
    )
    yield len(iterator)
    for _ in range(2):
        for batch in iterator:
            yield batch
