"""MixUp in the pipeline: mixes each image and label with another one of the batch, by a beta-distributed weight."""

from nvidia.dali import fn, pipeline_def, types


@pipeline_def(batch_size=4, num_threads=2, device_id=None, seed=21)
def mixup_pipeline(root):
    jpegs, labels = fn.readers.file(file_root=root, random_shuffle=True, seed=3)
    images = fn.decoders.image(jpegs, device="cpu")
    images = fn.resize(images, size=[32, 32])
    images = fn.crop_mirror_normalize(images, dtype=types.FLOAT, mean=[127.5], std=[127.5], output_layout="CHW")
    classes = fn.one_hot(labels, num_classes=3)
    order = fn.batch_permutation(no_fixed_points=True)
    weight = fn.random.beta(alpha=0.4, beta=0.4)
    others, other_classes = fn.permute_batch([images, classes], indices=order)
    mixed = images * weight + others * (1.0 - weight)
    return mixed, classes * weight + other_classes * (1.0 - weight), images, order, weight


def main(data):
    pipe = mixup_pipeline(data + "/train")
    pipe.build()
    for _ in range(3):
        yield list(pipe.run())
