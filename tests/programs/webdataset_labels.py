"""WebDataset as in DALI's notebook: no index, numbers by dtypes=, and classes computed from bytes of digits."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


@pipeline_def(batch_size=3, num_threads=2, device_id=None, seed=3)
def wds_pipeline(tars):
    jpeg, cls, box = fn.readers.webdataset(
        paths=tars, ext=["jpg", "cls", "box"], dtypes=[types.UINT8, types.UINT8, types.FLOAT], name="wds"
    )
    label = fn.cast(cls, dtype=types.INT32) - types.Constant(48).int32()
    shapes = fn.peek_image_shape(jpeg)
    images = fn.decoders.image(jpeg)
    images = fn.crop(images, crop=(40, 40))
    return images, label, box, shapes


def main(data):
    pipe = wds_pipeline([data + "/webdataset/train-1.tar", data + "/webdataset/train-0.tar"])
    pipe.build()
    yield pipe.reader_meta("wds")
    for _ in range(4):
        yield list(pipe.run())
