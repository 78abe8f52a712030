"""Sounds and texts of NeMo's manifests, compared with NVIDIA's DALI."""

from __future__ import annotations

import json

import numpy as np
import pytest
from beside_dali import SYSTEMS, load, pipeline
from sound_files import sound_bytes, tones

pytestmark = pytest.mark.dali


def manifests(folder):
    """Writes two manifests; the first one has lines that are left out. Returns their paths."""
    paths = [folder / f"{k}.{'flac' if k == 2 else 'wav'}" for k in range(5)]
    for k, path in enumerate(paths):
        path.write_bytes(sound_bytes(tones(100 + k, 1 + k % 2, seed=k), 8000, "FLAC" if k == 2 else "WAV").tobytes())
    first, second = [], []
    for k, path in enumerate(paths):
        (second if k == 4 else first).append({"audio_filepath": str(path), "text": f"wörd {k}\n", "duration": k / 100})
    first[2]["offset"] = 0.00219
    del first[0]["duration"], first[1]["text"]
    first += [{"text": "nowhere"}, {"audio_filepath": str(paths[0]), "duration": 0.0051, "offset": 0.0022, "more": [1]}]
    found = []
    for name, rows in (("first", first), ("second", second)):
        found.append(str(folder / name))
        (folder / name).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return found


@pytest.mark.parametrize(
    "given",
    [
        {"read_idxs": True},
        {"read_idxs": True, "min_duration": 0.01, "max_duration": 0.03, "downmix": False},
        {"read_text": False, "read_sample_rate": False, "sample_rate": 5000.0, "quality": 20.0},
        {"dtype": "INT16", "num_shards": 2, "shard_id": 1, "stick_to_shard": True, "pad_last_batch": True},
    ],
    ids=["all", "durations", "rate", "shard"],
)
def test_samples_are_dalis_in_its_order(tmp_path, given):
    paths = manifests(tmp_path)
    found = []
    for system in SYSTEMS:
        dali = load(system)
        own = {name: getattr(dali.types, value) if name == "dtype" else value for name, value in given.items()}
        with pipeline(dali, batch_size=2) as pipe:
            nodes = dali.fn.readers.nemo_asr(manifest_filepaths=paths, name="reader", **own)
            pipe.set_outputs(*(nodes if isinstance(nodes, list | tuple) else [nodes]))
        runs = [[[np.array(out.at(k)) for k in range(2)] for out in pipe.run()] for _ in range(4)]
        found.append((pipe.reader_meta("reader"), runs))
    assert found[0][0] == found[1][0]
    for theirs, ours in zip(found[0][1], found[1][1], strict=True):
        for one, other in zip(theirs, ours, strict=True):
            for x, y in zip(one, other, strict=True):
                np.testing.assert_allclose(y, x, atol=1e-3 if x.dtype == np.float32 else 0, strict=True)
