"""Excerpts of videos for an agent: the bytes and the numbers of the frames are fed, one video at a time."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types


class Decoder:
    def __init__(self):
        @pipeline_def(batch_size=1, num_threads=1, device_id=None, exec_pipelined=False, exec_async=False)
        def decoded():
            encoded = fn.external_source(name="video", dtype=types.UINT8)
            frames = fn.external_source(name="frames", dtype=types.INT32)
            return fn.experimental.decoders.video(encoded, device="cpu", frames=frames)

        self.pipe = decoded()
        self.pipe.build()

    def decode(self, content, start, length):
        self.pipe.feed_input("video", [np.frombuffer(content, dtype=np.uint8)])
        self.pipe.feed_input("frames", [np.arange(start, start + length, dtype=np.int32)])
        return self.pipe.run()[0].as_array()[0]


def main(data):
    decoder = Decoder()
    for name, start in (("a/one.webm", 0), ("a/one.webm", 3), ("b/three.webm", 4)):
        with open(f"{data}/videos/{name}", "rb") as file:
            yield decoder.decode(file.read(), start, 4)
