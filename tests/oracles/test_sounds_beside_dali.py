"""Sound files compared with NVIDIA's DALI: formats, types, channels and rates."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from beside_dali import SYSTEMS, load, pipeline
from sound_files import sound_bytes, tones

pytestmark = pytest.mark.dali

TYPES = ("FLOAT", "INT16", "INT32")
LOUD = 1.5 * tones(900, 2, seed=3)
FILES = [
    sound_bytes(tones(1200, 2, seed=1), 16000, "WAV", "PCM_16"),
    sound_bytes(tones(1000, 1, seed=2), 8000, "WAV", "PCM_24"),
    sound_bytes(LOUD, 22050, "WAV", "FLOAT"),
    sound_bytes(tones(1100, 3, seed=4), 44100, "FLAC", "PCM_16"),
    sound_bytes(tones(800, 1, seed=5), 16000, "WAV", "PCM_U8"),
    sound_bytes(tones(1000, 2, seed=6), 16000, "WAV", "ULAW"),
    sound_bytes(np.zeros((0, 1), np.float32)),
]
VORBIS = sound_bytes(tones(6000, 2, seed=7), 16000, "OGG", "VORBIS")


def decoded(dali, files, calls, **more):
    """Returns, for each file (one per batch, because channels differ), layout and samples of all calls' outputs."""
    found = []
    for file in files:
        with pipeline(dali, batch_size=1, **more) as pipe:
            data = dali.fn.external_source(itertools.repeat([file]))
            nodes = [node for call in calls for node in call(dali, data)]
            pipe.set_outputs(*nodes)
        found.append([(output.layout(), np.array(output.at(0))) for output in pipe.run()])
    return found


def call(**given):
    def nodes(dali, data):
        own = {name: getattr(dali.types, value) if name == "dtype" else value for name, value in given.items()}
        return dali.fn.decoders.audio(data, **own)

    return nodes


def differences(calls, files=FILES):
    """Yields pairs of DALI's result and ours; asserts that they have the same layout, type and shape."""
    theirs, ours = (decoded(load(system), files, calls) for system in SYSTEMS)
    for one, other in zip(theirs, ours, strict=True):
        for (layout, x), (own_layout, y) in zip(one, other, strict=True):
            assert (layout, x.dtype, x.shape) == (own_layout, y.dtype, y.shape)
            yield x, y


def test_formats_types_and_channels():
    calls = [call(dtype=dtype, downmix=mixed) for dtype in TYPES for mixed in (False, True)]
    for theirs, ours in differences(calls):
        np.testing.assert_array_equal(ours, theirs)


def test_what_is_lossy_is_decoded_by_the_same_library():
    # The library has a different version: the last bits of its floats differ.
    for theirs, ours in differences([call(downmix=True), call()], [VORBIS]):
        np.testing.assert_allclose(ours, theirs, atol=1e-6)


@pytest.mark.parametrize("quality", [0.0, 50.0, 90.0])
def test_other_rates(quality):
    calls = [call(sample_rate=rate, downmix=mixed, quality=quality) for rate in (16000.0, 11025.5) for mixed in (0, 1)]
    for theirs, ours in differences(calls):
        # DALI adds up positions over 256 samples, in float32.
        np.testing.assert_allclose(ours, theirs, atol=1e-3)
    integers = [call(sample_rate=9000, dtype=dtype, downmix=True, quality=quality) for dtype in ("INT16", "INT32")]
    for theirs, ours in differences(integers):
        if theirs.dtype.kind == "i":
            share = np.abs(ours.astype(np.int64) - theirs).max(initial=0) / np.iinfo(theirs.dtype).max
            assert share < 1e-3


def test_files_of_a_reader_and_their_labels(tmp_path):
    for k, file in enumerate(FILES[:2]):
        (tmp_path / str(k)).mkdir()
        (tmp_path / str(k) / "a.wav").write_bytes(file.tobytes())
    found = []
    for system in SYSTEMS:
        dali = load(system)
        with pipeline(dali, batch_size=2) as pipe:
            files, labels = dali.fn.readers.file(file_root=str(tmp_path), name="reader")
            signal, rate = dali.fn.decoders.audio(files, downmix=True, sample_rate=8000)
            louder = signal * 2
            names = dali.fn.get_property(files, key="source_info")
            pipe.set_outputs(louder, rate, labels, names, signal)
        found.append([[np.array(output.at(k)) for k in range(2)] for output in pipe.run()])
    for number, (theirs, ours) in enumerate(zip(*found, strict=True)):
        for one, other in zip(theirs, ours, strict=True):
            if number == 3:
                assert one.tobytes() == other.tobytes()
            else:
                np.testing.assert_allclose(other, one, atol=1e-3, strict=True)


def test_other_rates_of_signals_that_are_there():
    rng = np.random.default_rng(0)
    mono = [tones(n, seed=n)[:, 0] for n in (150, 90)]
    stereo = [tones(n, 2, seed=n) for n in (60, 110)]
    short = [rng.integers(-32768, 32767, n).astype(np.int16) for n in (80, 70)]
    level = [rng.integers(0, 256, n).astype(np.uint8) for n in (80, 70)]
    found = []
    for system in SYSTEMS:
        dali = load(system)
        fn, types = dali.fn, dali.types
        with pipeline(dali) as pipe:
            x, y, i, u = (
                fn.external_source(itertools.repeat(batch), layout=layout)
                for batch, layout in ((mono, "t"), (stereo, "tc"), (short, None), (level, None))
            )
            rate = fn.random.coin_flip(probability=1.0) + 1.5
            pipe.set_outputs(
                fn.audio_resample(x, scale=0.5),
                fn.audio_resample(x * 0.5, scale=rate, quality=20) + 0.125,
                fn.audio_resample(x, in_rate=16000, out_rate=22050),
                fn.audio_resample(x, in_rate=rate, out_rate=3),
                fn.audio_resample(x, out_length=37),
                fn.audio_resample(y, scale=1.7),
                fn.audio_resample(y, scale=0),
                fn.audio_resample(i, scale=1.5),
                fn.audio_resample(i, scale=0.8, dtype=types.FLOAT),
                fn.audio_resample(i, scale=1.25, dtype=types.UINT8),
                fn.audio_resample(u, scale=1.5, dtype=types.INT16),
            )
        found.append([(out.layout(), [np.array(out.at(k)) for k in range(2)]) for out in pipe.run()])
    for (layout, theirs), (own_layout, ours) in zip(*found, strict=True):
        assert own_layout == layout
        for one, other in zip(theirs, ours, strict=True):
            apart = 1e-3 if one.dtype == np.float32 else max(2, np.iinfo(one.dtype).max // 1000)
            assert (other.dtype, other.shape) == (one.dtype, one.shape)
            assert np.abs(other.astype(np.float64) - one).max(initial=0) < apart


@pytest.mark.parametrize("dtype", ["FLOAT", "INT16"])
def test_each_sample_has_a_rate_of_its_own(dtype):
    files, rates = [FILES[0], FILES[3]], [np.float32(17000), np.float32(16000)]
    found = []
    for system in SYSTEMS:
        dali = load(system)
        with pipeline(dali) as pipe:
            data = dali.fn.external_source(itertools.repeat(files))
            rate = dali.fn.external_source(itertools.repeat(rates)) * 0.5
            given = {"dtype": getattr(dali.types, dtype), "quality": 30}
            pipe.set_outputs(*dali.fn.decoders.audio(data, downmix=True, sample_rate=rate, **given))
        found.append([[np.array(output.at(k)) for k in range(2)] for output in pipe.run()])
    for theirs, ours in zip(*found, strict=True):
        for one, other in zip(theirs, ours, strict=True):
            assert (one.dtype, one.shape) == (other.dtype, other.shape)
            apart = 1e-3 * (1 if one.dtype == np.float32 else np.iinfo(one.dtype).max)
            assert np.abs(other.astype(np.float64) - one).max(initial=0) < apart
