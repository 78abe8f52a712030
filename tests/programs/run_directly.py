"""As in a notebook: runs the pipeline, and looks at the outputs as tensors and as arrays."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


@pipeline_def
def simple_pipeline(image_dir):
    jpegs, labels = fn.readers.file(file_root=image_dir)
    images = fn.decoders.image(jpegs, device="cpu")
    thumbnails = fn.crop(images, crop=(16, 16))
    return images, thumbnails, labels


def main(data):
    pipe = simple_pipeline(data + "/train", batch_size=4, num_threads=1, device_id=None)
    pipe.build()
    images, thumbnails, labels = pipe.run()
    yield images.is_dense_tensor(), thumbnails.is_dense_tensor(), labels.is_dense_tensor()
    yield len(images), images.layout(), thumbnails.shape(), images.dtype == types.UINT8
    labels_tensor = labels.as_tensor()
    yield labels_tensor.shape(), labels_tensor.dtype == types.INT32, np.array(labels_tensor).tolist()
    yield thumbnails.as_array(), labels.as_array()
    yield [images.at(i) for i in range(4)]
    yield [np.array(images[i]) for i in range(4)]
    yield np.array(thumbnails.as_tensor()).shape
    yield [np.asarray(t).shape for t in images]
    yield [tuple(images[i].shape()) for i in range(4)], images[0].layout()
    yield thumbnails.as_cpu().as_array().sum() == thumbnails.as_array().sum()
