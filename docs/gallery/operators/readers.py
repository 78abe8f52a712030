"""Examples of readers, and of other operators through which data come into a pipeline."""

from __future__ import annotations

import numpy as np

import jaxdali.tfrecord as tfrec
from jaxdali import fn, types
from ..example import Group
from ..kits import FILES, NOTHING, PHOTOS

GROUP = Group("Readers and sources", FILES)


@GROUP("fn.external_source", "FLOAT (3,)", kit=NOTHING)
def external_source():
    """A function of Python that makes a sample; with `parallel=True` it runs in worker processes."""

    def load_sample(info):  # a types.SampleInfo
        if info.idx_in_epoch >= 10:
            raise StopIteration
        return np.float32([info.idx_in_epoch, 1, 2])

    return fn.external_source(load_sample, batch=False, dtype=types.FLOAT)


@GROUP("fn.readers.file", "UINT8 (*,)", "INT32 (1,)", kit=NOTHING)
def file():
    """Files as bytes, and labels: here the places of the files in the list."""
    files, labels = fn.readers.file(files=["lake.jpg", "town.jpg"])
    return files, labels


@GROUP("fn.readers.coco", "UINT8 (*,)", "FLOAT (2, 4)", "INT32 (2,)", kit=NOTHING)
def coco():
    """Images with the boxes and labels of their objects."""
    files, boxes, labels = fn.readers.coco(
        file_root=".", annotations_file="objects.json", ltrb=True, ratio=True
    )
    return files, boxes, labels


@GROUP("fn.readers.tfrecord", "UINT8 (*,)", "INT64 (1,)")
def tfrecord():
    """Two features of each Example."""
    features = {
        "image": tfrec.FixedLenFeature([], tfrec.string, ""),
        "label": tfrec.FixedLenFeature([1], tfrec.int64, -1),
    }
    read = fn.readers.tfrecord(
        path="train.tfrecord", index_path="train.tfrecord.idx", features=features
    )
    return read["image"], read["label"]


@GROUP("fn.readers.webdataset", "UINT8 (*,)", "UINT8 (1,)")
def webdataset():
    """The images of an archive, and their classes."""
    images, classes = fn.readers.webdataset(paths="train.tar", ext=["jpg", "cls"])
    return images, classes


@GROUP("fn.readers.mxnet", "UINT8 (*,)", "FLOAT (1,)")
def mxnet():
    """Images and labels, as `im2rec` packs them."""
    images, labels = fn.readers.mxnet(path="train.rec", index_path="train.idx")
    return images, labels


@GROUP("fn.readers.caffe", "UINT8 (*,)", "INT32 (1,)")
def caffe():
    """Images and labels of an LMDB database."""
    images, labels = fn.readers.caffe(path="caffe_lmdb")
    return images, labels


@GROUP("fn.readers.caffe2", "UINT8 (*,)", "INT32 (1,)")
def caffe2():
    """Images and labels of an LMDB database."""
    images, labels = fn.readers.caffe2(path="caffe2_lmdb")
    return images, labels


@GROUP("fn.readers.numpy", "FLOAT (3, 4)", kit=NOTHING)
def numpy():
    """Arrays that `np.save` wrote."""
    return fn.readers.numpy(files=["numbers.npy"])


@GROUP("fn.readers.nemo_asr", "FLOAT (8000,)", "UINT8 (5,)", kit=NOTHING)
def nemo_asr():
    """Signals and what is said in them, in UTF-8."""
    signals, texts = fn.readers.nemo_asr(
        manifest_filepaths="manifest.json", read_sample_rate=False
    )
    return signals, texts


@GROUP("fn.readers.sequence", "UINT8 (2, 240, 320, 3) FHWC", kit=NOTHING)
def sequence():
    """Clips of two frames; each folder of images in `clips` is a video."""
    return fn.readers.sequence(file_root="clips", sequence_length=2)


@GROUP("fn.readers.video", "UINT8 (4, 48, 64, 3) FHWC")
def video():
    """Clips of four frames."""
    return fn.readers.video(filenames=["boat.mp4"], sequence_length=4)


@GROUP("fn.readers.video_resize", "UINT8 (4, 24, 32, 3) FHWC")
def video_resize():
    """Clips of four frames, half as high and wide."""
    return fn.readers.video_resize(
        filenames=["boat.mp4"], sequence_length=4, size=(24, 32)
    )


@GROUP("fn.experimental.readers.video", "UINT8 (4, 48, 64, 3) FHWC")
def experimental_video():
    """Clips of every second frame of a file."""
    return fn.experimental.readers.video(
        filenames=["boat.mp4"], sequence_length=4, stride=2
    )


@GROUP(
    "fn.experimental.inputs.video",
    "UINT8 (4, 48, 64, 3) FHWC",
    fed='pipe.feed_input("videos", [np.fromfile("boat.mp4", np.uint8)])',
)
def inputs_video():
    """Videos that the program feeds, four frames a sample."""
    return fn.experimental.inputs.video(name="videos", sequence_length=4)


@GROUP("fn.io.file.read", "UINT8 (*,)", kit=NOTHING)
def read():
    """A file whose name is made in the pipeline."""
    names = np.frombuffer(b"lake.png", np.uint8)
    return fn.io.file.read(names)


@GROUP("fn.python_function", "UINT8 (240, 160, 3) HWC", kit=PHOTOS)
def python_function(images):
    """A function of NumPy arrays, called for each sample."""
    return fn.python_function(
        images, function=lambda pixels: pixels[:, ::2], output_layouts="HWC"
    )
