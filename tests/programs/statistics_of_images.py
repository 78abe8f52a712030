"""Each image normalized by its own statistics, some of which are computed separately and passed as arguments."""

import nvidia.dali as dali
import nvidia.dali.fn as fn
import nvidia.dali.types as types


@dali.pipeline_def
def standardized(root):
    jpegs, labels = fn.readers.file(file_root=root)
    images = fn.cast(fn.decoders.image(jpegs, output_type=types.RGB), dtype=types.FLOAT)
    mean = fn.reductions.mean(images, axes=[0, 1], keep_dims=True)
    std = fn.reductions.std_dev(images, mean, axes=[0, 1], keep_dims=True)
    per_channel = fn.normalize(images, mean=mean, stddev=std, axes=[0, 1])
    low, high = fn.reductions.min(images), fn.reductions.max(images)
    stretched = (images - low) / (high - low)
    padded = fn.pad(per_channel, axis_names="HW", align=16, fill_value=0)
    flat = fn.reshape(stretched, shape=[-1])
    return padded, flat, fn.shapes(images), labels


def main(data):
    pipe = standardized(data + "/train", batch_size=3, num_threads=2, device_id=None)
    pipe.build()
    for _ in range(2):
        padded, flat, *rest = pipe.run()
        yield [(padded.at(k) * 64).round().astype("int32") for k in range(3)]
        yield [flat.at(k).shape for k in range(3)]
        yield rest
