"""Files and labels from a text file, as a competition provides it."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def
from nvidia.dali.plugin.jax import DALIGenericIterator


@pipeline_def
def list_pipeline(root, file_list):
    jpegs, labels = fn.readers.file(file_root=root, file_list=file_list, name="FileReader")
    images = fn.decoders.image(jpegs, device="cpu", output_type=types.RGB)
    images = fn.crop_mirror_normalize(images, crop=(32, 24), dtype=types.FLOAT, std=[255.0, 255.0, 255.0])
    return images, labels


def main(data):
    pipe = list_pipeline(data, data + "/train.txt", batch_size=3, num_threads=2, device_id=None)
    loader = DALIGenericIterator(pipe, ["image", "label"], reader_name="FileReader", auto_reset=True)
    yield pipe.epoch_size("FileReader"), len(loader)
    for batch in loader:
        yield batch
