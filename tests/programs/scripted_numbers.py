"""Replaces random numbers by a script, to test augmentations: Python functions that get plain numbers."""

import numpy as np
from nvidia.dali import fn, pipeline_def


class Scripted:
    """Replaces `fn.random.uniform`: returns the numbers of a list, one per sample, whatever the range is."""

    def __init__(self, numbers):
        self.numbers, self.ranges = list(numbers), []

    def uniform(self, range):
        def drawn(bounds):
            self.ranges.append(bounds.tolist())
            return np.array(bounds[0] + self.numbers[len(self.ranges) % len(self.numbers)], dtype=np.float32)

        return fn.python_function(range, function=drawn, num_outputs=1)


def full(bounds, extent):
    assert isinstance(bounds, np.ndarray) and isinstance(extent, np.ndarray)
    return np.full(extent, bounds[1], np.float32)


@pipeline_def(batch_size=2, num_threads=1, device_id=None, exec_async=False, exec_pipelined=False)
def augmented(random):
    image = fn.constant(fdata=[1.0, 2.0], shape=(1, 2, 1), layout="HWC")
    gain = random.uniform([0.5, 4.0])
    return gain, image * gain, fn.python_function([0.0, 3.0], 5, function=full)


def main(data):
    random = Scripted([0.25, 0.5, 0.75])
    pipe = augmented(random)
    pipe.build()
    for _ in range(2):
        yield pipe.run()
    yield random.ranges[:4]
