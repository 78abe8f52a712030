"""A graph of nodes made before there is a pipeline, which gets them by set_outputs."""

from nvidia.dali import Pipeline, fn, types


def load(root):
    jpegs, labels = fn.readers.file(file_root=root, name="Reader")
    return fn.decoders.image(jpegs, output_type=types.RGB), labels


def main(data):
    images, labels = load(data + "/val")
    images = fn.crop(images, crop=(24, 28))
    pipe = Pipeline(3, 2, None)
    pipe.set_outputs(images, fn.cast(labels, dtype=types.INT64))
    pipe.build()
    yield pipe.epoch_size("Reader")
    for _ in range(2):
        yield pipe.run()
