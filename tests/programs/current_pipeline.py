"""Helpers that put operators into whichever pipeline is current, with batch sizes and seeds taken from it."""

from nvidia.dali import Pipeline, fn, types


def augment(images):
    pipe = Pipeline.current()
    size = 8 * pipe.max_batch_size
    return fn.crop(images, crop=(size, size))


def build(root, batch_size):
    pipe = Pipeline(batch_size=batch_size, num_threads=2, device_id=None)
    Pipeline.push_current(pipe)
    try:
        jpegs, labels = fn.readers.file(file_root=root)
        images = augment(fn.decoders.image(jpegs, output_type=types.RGB))
        pipe.set_outputs(images, labels)
    finally:
        Pipeline.pop_current()
    return pipe


def main(data):
    for batch_size in (2, 3):
        pipe = build(data + "/val", batch_size)
        yield Pipeline.current() is None
        yield pipe.run()
