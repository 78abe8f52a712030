"""Training that continues where it stopped, from a checkpoint of the pipeline and from one of the iterator."""

from nvidia.dali import fn, pipeline_def
from nvidia.dali.plugin.jax import DALIGenericIterator


@pipeline_def(batch_size=3, num_threads=2, device_id=None, seed=13, enable_checkpointing=True)
def pipeline(root):
    jpegs, labels = fn.readers.file(file_root=root, random_shuffle=True, pad_last_batch=True, name="Reader")
    return fn.crop(fn.decoders.image(jpegs), crop=(16, 16)), labels, fn.random.uniform(range=(0.0, 1.0))


def same(one, other):
    return bool((one == other).all())


def main(data):
    pipe = pipeline(data + "/train")
    pipe.build()
    pipe.run()
    checkpoint = pipe.checkpoint()
    expected = [[out.as_array() for out in pipe.run()] for _ in range(3)]
    restored = pipeline(data + "/train", checkpoint=checkpoint)
    restored.build()
    for outputs in expected:
        yield [same(out.as_array(), other) for out, other in zip(restored.run(), outputs)]

    names = ["data", "label", "draw"]
    loader = DALIGenericIterator(pipeline(data + "/train"), names, reader_name="Reader", auto_reset=True)
    next(iter(loader))
    saved = loader.checkpoints()
    expected = next(loader)
    pipe = pipeline(data + "/train", checkpoint=saved[0])
    loader = DALIGenericIterator(pipe, names, reader_name="Reader", auto_reset=True)
    found = next(iter(loader))
    yield [same(found[name], expected[name]) for name in names]
    yield found
