"""Caffe2's LMDB with a random mirror that is off, as in DALI's notebook of readers."""

from nvidia.dali import fn, pipeline_def, types

batch_size = 4


@pipeline_def
def caffe2_pipeline(path):
    jpegs, labels = fn.readers.caffe2(path=path, label_type=0, pad_last_batch=True, name="Reader")
    images = fn.decoders.image(jpegs, device="cpu")
    return (
        fn.crop_mirror_normalize(
            images, dtype=types.FLOAT, crop=(32, 32), mean=[128.0, 128.0, 128.0], std=[1.0, 1.0, 1.0], mirror=0
        ),
        labels,
    )


def main(data):
    pipe = caffe2_pipeline(data + "/c2lmdb", batch_size=batch_size, num_threads=2, device_id=None)
    pipe.build()
    yield pipe.reader_meta()
    for _ in range(4):
        yield list(pipe.run())
