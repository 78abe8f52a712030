"""NeMo's manifests: which lines are listed, which are left out, and which are errors."""

from __future__ import annotations

import json
import logging
import sys

import jax
import numpy as np
import pytest
from sound_files import sound_bytes, tones

import jaxdali
from jaxdali import ConfigError
from jaxdali.errors import SourceDataError
from jaxdali.source import NemoASR


def manifest(folder, *rows):
    path = folder / "manifest.json"
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


@pytest.fixture
def sound(tmp_path):
    path = tmp_path / "a.wav"
    path.write_bytes(sound_bytes(tones(80), 8000).tobytes())
    return str(path)


def test_samples_and_lines_that_are_left_out(tmp_path, sound, caplog):
    whole, part = {"audio_filepath": sound, "text": "ab"}, {"audio_filepath": sound, "offset": 0.005, "duration": 9}
    with caplog.at_level(logging.WARNING, "jaxdali"):
        data = NemoASR(manifest(tmp_path, whole, "no JSON", {"text": "x"}, part))
    assert "2 lines of" in caplog.text and "line 2" in caplog.text
    assert len(data) == 2 and data.source_info(1) == sound
    assert data[0]["audio"].shape == (80,) and data[0]["text"].tobytes() == b"ab"
    assert data[1]["audio"].shape == (40,) and data[1]["text"].shape == (0,)
    np.testing.assert_array_equal(data[1]["audio"], data[0]["audio"][40:])
    assert [data[k]["sample_rate"] for k in (0, 1)] == [8000, 8000] and data[1]["index"] == [1]


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ({"audio_filepath": 7}, "manifest.json:1: audio_filepath=7, .*expected two texts and two numbers"),
        ({"audio_filepath": "a", "text": 7}, "text=7"),
        ({"audio_filepath": "a", "duration": "1"}, "duration='1'"),
        ({"audio_filepath": "a", "duration": 10**400}, "duration=1000"),
        ({"audio_filepath": "a", "offset": float("nan")}, "offset=nan"),
        ({"audio_filepath": "a\0"}, "zero byte"),
        ({"text": "only"}, "No files found"),
    ],
    ids=["path", "text", "duration", "huge", "nan", "zero", "none"],
)
def test_wrong_lines_are_errors_that_name_them(tmp_path, row, text):
    with pytest.raises(ConfigError, match=text):
        NemoASR(manifest(tmp_path, row))


def test_a_part_of_any_length_is_what_is_there(tmp_path, sound):
    whole, endless = ({"audio_filepath": sound, "duration": seconds} for seconds in (-1, sys.float_info.max))
    np.testing.assert_array_equal(*(NemoASR(manifest(tmp_path, row))[0]["audio"] for row in (whole, endless)))


def test_a_part_behind_the_end_is_an_error(tmp_path, sound):
    data = NemoASR(manifest(tmp_path, {"audio_filepath": sound, "offset": 0.5}))
    with pytest.raises(SourceDataError, match=r"\.wav: .*begins at 0\.5 s, but the sound has 0\.01 s"):
        data[0]


def test_a_loader_has_ragged_signals(tmp_path, sound):
    rows = [{"audio_filepath": sound, "duration": (k + 1) / 1000} for k in range(4)]
    data = NemoASR(manifest(tmp_path, *rows), values=["audio", "index"])
    with jaxdali.Loader(data, batch_size=2, ragged={"audio": 64}, workers=1, epochs=1) as loader:
        batches = [jax.device_get(batch) for batch in loader]
    assert [batch["index"].ravel().tolist() for batch in batches] == [[0, 1], [2, 3]]
