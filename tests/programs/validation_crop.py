"""Validation with functions: shorter side, centre crop, INT64 labels; half precision with a fourth channel."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline
from nvidia.dali.plugin.jax import DALIGenericIterator


class ValLoader:
    def __init__(self, root, batch_size, crop):
        pipe = Pipeline(batch_size, num_threads=2, device_id=None, seed=-1)
        with pipe:
            files, labels = fn.readers.file(name="Reader", file_root=root, pad_last_batch=True)
            images = fn.decoders.image(files, device="cpu", output_type=types.RGB)
            images = fn.resize(images, device="cpu", resize_shorter=crop * 256 // 224, interp_type=types.INTERP_CUBIC)
            images = fn.crop_mirror_normalize(
                images,
                device="cpu",
                dtype=types.FLOAT16,
                output_layout=types.NHWC,
                crop=(crop, crop),
                mean=[123.675, 116.28, 103.53],
                std=[58.395, 57.12, 57.375],
                pad_output=True,
            )
            pipe.set_outputs(images, fn.cast(labels, dtype=types.INT64))
        self.loader = DALIGenericIterator([pipe], ["data", "label"], reader_name="Reader", auto_reset=True)

    def __iter__(self):
        return iter(self.loader)


def main(data):
    loader = ValLoader(data + "/val", 4, 28)
    for batch in loader:
        yield batch
