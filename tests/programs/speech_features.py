"""Features of speech as in DeepLearningExamples' Jasper and RNN-T: silence is cut off, then log mel spectra are made."""

import glob
import math

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


class DaliPipeline:
    def __init__(self, files, labels, sample_rate=16000, window_size=0.02, window_stride=0.01, nfeatures=16):
        self.sample_rate = sample_rate
        self.window_len = int(window_size * sample_rate)
        self.window_step = int(window_stride * sample_rate)
        self.nfft = 2 ** math.ceil(math.log2(self.window_len))
        self.nfeatures = nfeatures
        pipe = Pipeline(batch_size=2, num_threads=1, device_id=None, seed=5)
        with pipe:
            audio, label = fn.readers.file(files=files, labels=labels, name="Reader", pad_last_batch=True)
            audio, sr = fn.decoders.audio(audio, dtype=types.FLOAT, downmix=True, sample_rate=sample_rate)
            begin, length = fn.nonsilent_region(audio, cutoff_db=-60, window_length=512)
            audio = fn.slice(audio, begin, length, normalized_anchor=False, normalized_shape=False, axes=[0])
            features, features_len = self.features_of(audio)
            pipe.set_outputs(features, features_len, label, begin, length, sr)
        self.pipe = pipe

    def features_of(self, audio):
        audio = fn.preemphasis_filter(audio, preemph_coeff=0.97)
        spec = fn.spectrogram(
            audio, nfft=self.nfft, window_length=self.window_len, window_step=self.window_step, center_windows=False
        )
        mel = fn.mel_filter_bank(
            spec, sample_rate=self.sample_rate, nfilter=self.nfeatures, normalize=True, freq_high=self.sample_rate / 2
        )
        log_features = fn.to_decibels(mel, multiplier=np.log(10), reference=1.0, cutoff_db=math.log(1e-10))
        features = fn.normalize(log_features, axes=[1])
        return fn.pad(features, axes=(1,), align=16, fill_value=0), features.shape(dtype=types.INT32)


def main(data):
    files = sorted(glob.glob(f"{data}/sounds/*.*a*"))
    pipe = DaliPipeline(files, list(range(len(files)))).pipe
    pipe.build()
    yield pipe.reader_meta("Reader")["epoch_size"]
    for _ in range(2):
        yield pipe.run()
