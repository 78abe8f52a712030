"""Augments images depending on their class: branches on labels, in functions that the pipeline's function calls."""

import nvidia.dali as dali
import nvidia.dali.fn as fn
import nvidia.dali.types as types


def is_rare(label):
    return label == 1 or label > 5


def treat(image, label):
    if is_rare(label):
        image = fn.flip(image, horizontal=1)
        weight = 2.5
    elif not label == 0:
        image = image[8:40, 4:36]
        weight = 1.0
    else:
        image = types.Constant(255).uint8() - image
        weight = 0.5
    return image, weight


@dali.pipeline_def(num_threads=2, device_id=None, enable_conditionals=True)
def weighted_pipeline(root, invert_all=False):
    jpegs, labels = fn.readers.file(file_root=root, random_shuffle=False, name="Reader")
    images = fn.decoders.image(jpegs, device="cpu", output_type=types.RGB)
    label = labels[0]
    images, weight = treat(images, label)
    tag = label * 10
    if invert_all:
        images = types.Constant(255).uint8() - images
    elif label != 2 and weight < 2:
        tag = tag + 1
    return images, weight, tag, label


def main(data):
    for invert in (False, True):
        pipe = weighted_pipeline(data + "/train", invert_all=invert, batch_size=4)
        pipe.build()
        for _ in range(3):
            yield pipe.run()
