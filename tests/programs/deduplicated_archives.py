"""Searches archives for duplicate images: extensions by kind, members by name, numbers as raw bytes."""

import glob
import os

from nvidia.dali import fn, pipeline_def, types

KINDS = ["JPG", "JPEG", "PNG"]


@pipeline_def(batch_size=4, num_threads=2, device_id=None)
def archives(paths, indices):
    encoded, digits = fn.readers.webdataset(
        paths=paths,
        index_paths=indices,
        ext=[";".join(KINDS), "cls"],
        case_sensitive_extensions=False,
        missing_component_behavior="skip",
    )
    # A label is stored as the bytes of an integer.
    number = fn.reinterpret(fn.pad(digits, axes=0, shape=8.0), dtype=types.INT64, shape=[1])
    whole = fn.decoders.image_crop(encoded)
    return whole, number, number - 48, fn.crop(whole), fn.get_property(encoded, key="source_info"), digits.source_info()


def names(batch):
    texts = (bytes(batch.at(k)).decode() for k in range(len(batch)))
    return [os.path.basename(text) for text in texts]


def main(data):
    for indices in ([], sorted(glob.glob(data + "/webdataset/*.idx"))):
        pipe = archives(sorted(glob.glob(data + "/webdataset/*.tar")), indices)
        pipe.build()
        total = sum(pipe.epoch_size().values())
        seen = 0
        while seen < total:
            *arrays, images, labels = pipe.run()
            yield arrays, names(images), names(labels)
            seen += len(images)
