"""DALI's tutorial on audio: decoded files become spectrograms, mel spectra in decibels, and their coefficients."""

import glob

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def

# A window of 16 ms in samples; like some programs, it leaves two of these as floats.
n_fft, hop_length, n_mels = 256, 0.00801 * 16000, 20.0


@pipeline_def(batch_size=1, num_threads=1, device_id=None)
def spectrograms(files):
    encoded, _ = fn.readers.file(files=files)
    audio, sr = fn.decoders.audio(encoded, dtype=types.FLOAT, downmix=True)
    spectrogram = fn.spectrogram(audio, nfft=n_fft, window_length=0.016 * 16000, window_step=hop_length)
    mel_spectrogram = fn.mel_filter_bank(spectrogram, sample_rate=16000, nfilter=n_mels, freq_high=8000.0)
    mel_spectrogram_dB = fn.to_decibels(mel_spectrogram, multiplier=10.0, cutoff_db=-80.0)
    mfccs_dct2 = fn.mfcc(mel_spectrogram_dB, axis=0, dct_type=2, n_mfcc=10, normalize=True)
    mfccs_dct3 = fn.mfcc(mel_spectrogram_dB, axis=0, dct_type=3, n_mfcc=10, normalize=True)
    return audio, sr, mel_spectrogram_dB, mfccs_dct2, mfccs_dct3


def main(data):
    files = sorted(glob.glob(f"{data}/sounds/*.*a*"))
    pipe = spectrograms(files=files)
    pipe.build()
    for _ in range(2):
        yield pipe.run()
