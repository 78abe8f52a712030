"""jaxdali.audio in a user's own jit, and the operators' errors for inputs that they cannot take."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxdali import ConfigError, GraphError, SourceDataError, audio, fn, pipeline_def

LENGTHS = np.array([40, 13, 1], np.int32)
SIGNALS = np.where(np.arange(40) < LENGTHS[:, None], np.random.default_rng(1).normal(size=(3, 40)), 0).astype(
    np.float32
)


def test_a_spectrogram_is_numpys_and_does_not_see_what_lies_behind_a_signal():
    compute = jax.jit(functools.partial(audio.spectrogram, window_length=8, window_step=3, nfft=16))
    found, counts = compute(SIGNALS, LENGTHS)
    behind, _ = compute(np.where(np.arange(40) < LENGTHS[:, None], SIGNALS, 9), LENGTHS)
    np.testing.assert_array_equal(found, behind)
    assert counts.tolist() == [14, 5, 1]
    window = np.pad(audio.hann_window(8), 4)
    for signal, length, spectra, count in zip(SIGNALS, LENGTHS, np.asarray(found), counts.tolist(), strict=True):
        padded = np.pad(signal[:length], 8, mode="reflect" if length > 1 else "edge")
        windows = [np.pad(padded[8 + 3 * k - 4 :][:8], 4) * window for k in range(count)]
        np.testing.assert_allclose(spectra[:, :count].T, np.abs(np.fft.rfft(windows)) ** 2, rtol=1e-5, atol=1e-5)
        assert not spectra[:, count:].any()


def test_features_as_speech_models_have_them_are_numpys():
    """Whisper's features, with NumPy's Hann window."""
    rate, window = 16000, np.hanning(401)[:-1]
    signals = np.random.default_rng(2).normal(size=(2, 3200)).astype(np.float32)
    mels = audio.mel_matrix(201, 80, sample_rate=rate, freq_high=8000.0)

    @jax.jit
    def features(signals):
        power, _ = audio.spectrogram(signals, window=window, window_length=400, window_step=160)
        return jnp.log10(jnp.maximum(audio.transform(power[:, :, :-1], mels, axis=1), 1e-10))

    for signal, found in zip(signals, features(signals), strict=True):
        padded = np.pad(signal, 200, mode="reflect")
        frames = np.stack([padded[160 * k : 160 * k + 400] for k in range(20)]) * window
        expected = np.log10(mels @ (np.abs(np.fft.rfft(frames)) ** 2).T)
        np.testing.assert_allclose(found, expected, atol=1e-4)


def test_a_first_number_is_filtered_by_what_lies_before_it():
    for border, first in (("zero", 0), ("clamp", SIGNALS[:, 0]), ("reflect", [*SIGNALS[:2, 1], SIGNALS[2, 0]])):
        found = np.asarray(audio.preemphasis(SIGNALS, LENGTHS, 0.5, border))
        np.testing.assert_allclose(found[:, 0], SIGNALS[:, 0] - 0.5 * np.asarray(first), rtol=1e-6)
        assert not found[1, 13:].any() and found[0, 13:].all()


def test_cosines_are_orthonormal_and_triangles_have_an_area_of_one():
    for kind in (2, 3, 4):
        matrix = audio.cosine_matrix(9, 20, kind, normalize=True)
        np.testing.assert_allclose(matrix @ matrix.T, np.eye(9), atol=1e-6)
    fine = audio.mel_matrix(20001, 6, 16000.0, 100.0)
    np.testing.assert_allclose(fine.sum(axis=1) * (8000 / 20000), 1, rtol=1e-3)
    assert audio.mel_matrix(33, 4, normalize=False).max() <= 1


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: audio.spectrogram(SIGNALS, window_length=8, nfft=7), "nfft of at least window_length"),
        (lambda: audio.mel_matrix(9, 4, 8000.0, 5000.0), "frequencies that rise"),
        (lambda: audio.mel_matrix(9, 4, formula="bark"), "one of slaney, htk"),
        (lambda: audio.cosine_matrix(9, 4, 1, normalize=True), "for type 1 at least two numbers and normalize=False"),
        (lambda: audio.preemphasis(SIGNALS, border="wrap"), "border must be"),
        (lambda: fn.spectrogram(numbers(4), nfft=9), "is less than window_length=512"),
        (lambda: fn.spectrogram(numbers(4), window_fn=[1.0]), "has 1 numbers, expected window_length=512"),
        (lambda: fn.mel_filter_bank(numbers(4), freq_low=30000.0), "expected them to rise from 0"),
        (lambda: fn.mfcc(numbers(4), normalize=True, dct_type=1), "does not go with dct_type=1"),
        (lambda: fn.mfcc(numbers(4), lifter=-1.0), "is below 0"),
        (lambda: fn.to_decibels(numbers(4), multiplier=0.0), "expected a multiplier other than 0"),
    ],
)
def test_arguments_that_do_not_go_together_are_errors(make, words):
    with pytest.raises(ConfigError, match=words):
        make()


def numbers(*shape, dtype=np.float32, layout=None):
    return fn.external_source(lambda: [np.ones(shape, dtype)] * 2, batch=True, layout=layout)


def ragged():
    return fn.external_source(lambda: [np.ones((3, 2), np.float32), np.ones((4, 2), np.float32)], batch=True)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: fn.spectrogram(numbers(9, 2)), GraphError, "expects signals of one channel"),
        (
            lambda: fn.spectrogram(numbers(9, dtype=np.int16)),
            GraphError,
            r"expects FLOAT, got int16; convert it with fn\.cast",
        ),
        (lambda: fn.spectrogram(numbers(9), center_windows=False), SourceDataError, "signals of at least 512 samples"),
        (lambda: fn.mel_filter_bank(numbers(9, 2, layout="ab")), GraphError, "expects spectra with an axis 'f'"),
        (lambda: fn.mel_filter_bank(ragged(), nfilter=2), SourceDataError, "of one extent along axis 0"),
        (lambda: fn.nonsilent_region(numbers(9, 2)), GraphError, "expects signals of one axis"),
    ],
)
def test_inputs_that_are_something_else_are_errors(make, error, words):
    @pipeline_def(batch_size=2)
    def mine():
        return make()

    with pytest.raises(error, match=words), mine() as pipe:
        pipe.run()
