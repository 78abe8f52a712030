"""Sound files: which are read, which are refused, and where."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sound_files import sound_bytes, tones

import jaxdali.fn as fn
from jaxdali import BackendUnavailable, ConfigError, GraphError, Pipeline, SourceError, pipeline_def, types
from jaxdali._feed.records.ogg import chained_at
from jaxdali._feed.source.sounds import SoundReading, of_unit_floats, resample, unit_floats
from jaxdali.errors import SourceDataError


def test_signals_are_those_of_the_file():
    wave = tones(700, 2)
    signal, rate = SoundReading()(sound_bytes(wave, 8000, "WAV", "FLOAT"))
    np.testing.assert_array_equal(signal, wave)
    assert rate == 8000 and rate.dtype == np.float32
    mixed, _ = SoundReading(downmix=True)(sound_bytes(wave, 8000, "WAV", "FLOAT"))
    np.testing.assert_array_equal(mixed, wave[:, 0] * np.float32(0.5) + wave[:, 1] * np.float32(0.5))


def test_another_rate_leaves_a_slow_wave_as_it_is():
    time = np.arange(2000, dtype=np.float64)
    wave = np.sin(time / 30).astype(np.float32)
    for rate in (8000.0, 11025.0, 16000.0, 48000.0):
        found = resample(wave, 16000, rate)
        assert len(found) == np.ceil(2000 * rate / 16000)
        expected = np.sin(np.arange(len(found)) * 16000 / rate / 30)
        np.testing.assert_allclose(found[200:-200], expected[200:-200], atol=2e-3)
    channels = resample(np.stack([wave, -wave], 1), 16000, 9000)
    np.testing.assert_array_equal(channels[:, 0], -channels[:, 1])
    with pytest.raises(ConfigError, match="expected rates above 0"):
        resample(wave, 0, 16000)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32"])
def test_floats_become_integers_and_come_back(dtype):
    limits = np.iinfo(dtype)
    values = np.array([limits.min, 0, 1, limits.max // 3, limits.max], dtype)
    floats = unit_floats(values, dtype)
    assert floats.max() == 1 and floats.min() == pytest.approx(-1 if limits.min else 0, abs=0.01)
    np.testing.assert_allclose(unit_floats(values, "float32"), floats if limits.min else 2 * floats - 1, atol=1e-6)
    back = of_unit_floats(floats, dtype)
    assert back.dtype == dtype
    assert np.abs(back.astype(np.int64) - values.astype(np.int64)).max() <= (limits.max >> 23)
    assert of_unit_floats(np.float32([9, -9]), dtype).tolist() == [limits.max, limits.min]


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_second_sound_of_an_ogg_file_is_not_left_out_silently(times):
    one = sound_bytes(tones(40000), 8000, "OGG", "VORBIS")
    several = np.concatenate([one] * times)
    if times == 1:
        assert SoundReading()(several)[0].shape == (40000, 1)
        return
    with pytest.raises(SourceDataError, match=rf"holds another sound at byte {len(one)}, behind its first one"):
        SoundReading()(several)


@given(st.binary(max_size=80), st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), max_size=3))
def test_any_pages_are_looked_at_without_an_error(data, changes):
    raw = bytearray(sound_bytes(tones(300), 8000, "OGG", "VORBIS").tobytes() + data)
    for place, byte in changes:
        raw[place] = byte
    assert chained_at(bytes(raw)) is None or raw.count(b"OggS") > 1
    assert chained_at(b"OggS" + data) is None


def with_head(place, number, size):
    """A WAV file whose header has an impossible value."""
    raw = bytearray(sound_bytes(tones(100), 8000, "WAV"))
    raw[place : place + size] = number.to_bytes(size, "little")
    return np.frombuffer(raw, np.uint8)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (np.frombuffer(b"neither RIFF nor fLaC", np.uint8), "21 bytes are not a sound that libsndfile reads"),
        (sound_bytes(tones(4000), 16000, "FLAC")[:1500], "cut off|cannot be read"),
        (with_head(22, 0xFFFF, 2), "are not a sound that libsndfile reads"),
        (with_head(24, 0, 4), "are not a sound that libsndfile reads"),
        (with_head(24, 0xFFFFFFFF, 4), "are not a sound that libsndfile reads"),
        (np.zeros((2, 2), np.uint8), r"bytes, uint8\[n\], got uint8 with 2 dimensions"),
    ],
    ids=["foreign", "cut off", "channels", "no rate", "rate", "two axes"],
)
def test_damaged_files_are_errors_that_say_what_is_wrong(file, text):
    with pytest.raises(SourceDataError, match=text):
        SoundReading()(file)


def test_a_file_that_cannot_be_decoded_is_named_and_reset_goes_on_behind_it(tmp_path):
    names = [tmp_path / f"{k}.wav" for k in range(4)]
    for k, name in enumerate(names):
        name.write_bytes(sound_bytes(tones(300 + k)).tobytes())
    names[1].write_bytes(b"RIFF, but no sound")

    @pipeline_def(batch_size=2)
    def program():
        files, labels = fn.readers.file(files=list(map(str, names)))
        signal, rate = fn.decoders.audio(files, downmix=True)
        return signal, rate, labels

    with program() as pipe:
        with pytest.raises(SourceError, match="not a sound that libsndfile reads") as raised:
            pipe.run()
        assert "1.wav" in str(raised.value)
        pipe.reset()
        signal, _, labels = pipe.run()
        assert [len(signal.at(k)) for k in range(2)] == [302, 303]
        assert [int(labels.at(k)[0]) for k in range(2)] == [2, 3]


def test_of_whole_batches_the_sample_is_named():
    with Pipeline(batch_size=2) as pipe:
        files = fn.external_source(lambda: [sound_bytes(tones(10)), np.zeros(5, np.uint8)])
        pipe.set_outputs(*fn.decoders.audio(files))
        with pytest.raises(SourceDataError, match="sample 1 of the batch: 5 bytes are not a sound"):
            pipe.run()


def test_bytes_may_be_used_beside_the_signal_and_twice():
    file = sound_bytes(tones(50, 2))
    with Pipeline(batch_size=1) as pipe:
        files = fn.external_source(lambda: [file])
        one, _ = fn.decoders.audio(files, dtype=types.INT16)
        other, rate = fn.decoders.audio(files, downmix=True)
        pipe.set_outputs(files, one, other, rate)
        found = [np.asarray(output.at(0)) for output in pipe.run()]
    np.testing.assert_array_equal(found[0], file)
    assert [(x.dtype, x.shape) for x in found[1:]] == [(np.int16, (50, 2)), (np.float32, (50,)), (np.float32, ())]


def test_debug_mode_has_the_signal_at_once():
    file = sound_bytes(tones(50, 2))

    @pipeline_def(batch_size=2, debug=True)
    def program():
        signal, rate = fn.decoders.audio(fn.external_source(lambda: [file, file]), downmix=True)
        assert signal.get().at(0).shape == (50,)
        return signal * 2, rate

    with program() as pipe:
        signal, _ = pipe.run()
    np.testing.assert_array_equal(np.asarray(signal.at(1)), 2 * SoundReading(downmix=True)(file)[0])


def test_files_must_come_from_a_source():
    with Pipeline(batch_size=1).definition():
        with pytest.raises(GraphError, match="takes files from a source, got the output of fn"):
            fn.decoders.audio(fn.copy(fn.external_source(name="x")))


def test_without_soundfile_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "soundfile", None)
    with Pipeline(batch_size=1).definition():
        with pytest.raises(BackendUnavailable, match=r"pip install 'jaxdali\[audio\]'"):
            fn.decoders.audio(fn.external_source(name="x"))


def test_files_that_a_function_made_are_decoded_between_programs():
    file = sound_bytes(tones(50, 2))
    with Pipeline(batch_size=1) as pipe:
        made = fn.python_function(fn.external_source(lambda: [file]), function=lambda one: one)
        signal, rate = fn.decoders.audio(made, downmix=True)
        pipe.set_outputs(signal * 2, rate)
        signal, rate = pipe.run()
    np.testing.assert_array_equal(np.asarray(signal.at(0)), 2 * SoundReading(downmix=True)(file)[0])
    assert np.asarray(rate.at(0)) == 16000
