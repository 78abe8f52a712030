"""Waveforms of a folder of sounds, with their channels and labels, for a network that takes raw waveforms."""

import glob

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


@pipeline_def(batch_size=3, num_threads=1, device_id=None)
def waveforms(files):
    encoded, label = fn.readers.file(files=files, labels=[4, 3, 2, 1, 0])
    stereo, sr = fn.decoders.audio(encoded, dtype=types.INT16)
    first_channel = fn.slice(stereo, 0, 1, axes=[1])
    return first_channel, sr, label


def main(data):
    pipe = waveforms(files=sorted(glob.glob(f"{data}/sounds/*.*a*")))
    pipe.build()
    for _ in range(2):
        yield pipe.run()
