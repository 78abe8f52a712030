"""Python functions between operators: an edge filter, a position that Python computes, and an inspected batch."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


def edges(image):
    """How much each pixel differs from its left neighbour."""
    image = image.astype(np.int32)
    out = np.zeros_like(image)
    out[:, 1:] = np.abs(image[:, 1:] - image[:, :-1])
    return out.astype(np.uint8)


def brightest(image):
    gray = image.sum(axis=2)
    y, x = np.unravel_index(gray.argmax(), gray.shape)
    return np.array([y, x], dtype=np.float32), gray.max().reshape(1).astype(np.int64)


seen = []


def look(batch, labels):
    seen.append(([image.shape for image in batch], [int(label[0]) for label in labels]))
    return batch


class PythonPipe(Pipeline):
    def __init__(self, batch_size, num_threads, device_id, root):
        super().__init__(batch_size, num_threads, device_id, exec_async=False, exec_pipelined=False, seed=99)
        self.input = ops.readers.File(file_root=root, random_shuffle=False)
        self.decode = ops.decoders.Image(device="cpu", output_type=types.RGB)
        self.edges = ops.PythonFunction(function=edges, num_outputs=1, output_layouts="HWC")
        self.brightest = ops.PythonFunction(function=brightest, num_outputs=2)
        self.look = ops.PythonFunction(look, batch_processing=True, output_layouts=["HWC"])

    def define_graph(self):
        jpegs, labels = self.input(name="Reader")
        images = self.decode(jpegs)
        found = self.edges(images)
        place, level = self.brightest(images)
        looked = self.look(fn.flip(found, horizontal=1), labels)
        return [found, place, level, fn.crop(looked, crop=(16, 16)), labels]


def main(data):
    seen.clear()
    pipe = PythonPipe(3, 1, None, data + "/train")
    pipe.build()
    for _ in range(2):
        yield pipe.run()
    yield [str(entry) for entry in seen[:2]]
