"""What earlier versions saved goes on in this one, with the batches that would have followed there."""

import base64
import json
import re

import numpy as np
import pytest
import saved_things
from house_rules import ROOT
from jax import export

import jaxdali
from jaxdali import ConfigError, Pipeline, source
from jaxdali._feed.storage.cache import Cache
from jaxdali.image import custom_call_targets

SAVED = {
    path.stem.removeprefix("saved_"): json.loads(path.read_text()) for path in saved_things.HERE.glob("saved_*.json")
}
LOADERS = [(version, name) for version, saved in SAVED.items() for name in saved["loaders"]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved")
    saved_things.unpacked(folder)
    return folder


@pytest.fixture(params=SAVED)
def saved(request):
    return SAVED[request.param]


def test_every_release_has_a_file():
    """The heading of what is coming may not have one yet."""
    coming, *released = re.findall(
        r"^## (\d+\.\d+\.\d+)(?: \((.*)\))?$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    )
    wanted = {version for version, _ in released} | ({coming[0]} if coming[1] != "unreleased" else set())
    assert "0.1.0" in SAVED and wanted <= {*SAVED}, "python tests/versions/saved_things.py"


@pytest.mark.parametrize(("version", "name"), LOADERS)
def test_a_loader_goes_on_from_a_state(folder, version, name):
    kept = SAVED[version]["loaders"][name]
    assert len(kept["rest"]) >= 3
    loader = saved_things.loaders(folder)[name]()
    loader.set_state(kept["state"])
    assert loader.get_state() == kept["state"], "and says it as that version did"
    assert saved_things.rest_of(loader) == kept["rest"]


def test_each_kind_of_loader_is_saved(folder):
    newest = SAVED[max(SAVED, key=lambda version: [*map(int, version.split("."))])]
    assert newest["loaders"].keys() == saved_things.loaders(folder).keys()


def test_a_pipeline_goes_on_from_a_checkpoint(saved):
    with saved_things.pipeline(checkpoint=saved["pipeline"]["checkpoint"]) as pipe:
        assert saved_things.runs(pipe, 6) == saved["pipeline"]["rest"]


def test_an_iterator_goes_on_from_checkpoints(saved):
    batches = saved_things.iterator(checkpoints=saved["iterator"]["checkpoints"])
    assert saved_things.nexts(batches, 6) == saved["iterator"]["rest"]


def test_a_saved_pipeline_is_the_same_pipeline(folder, saved):
    document = saved["graph"]["saved"].replace(saved_things.FOLDER, str(folder))
    with Pipeline.deserialize(document) as pipe, saved_things.training(folder) as now:
        assert saved_things.runs(pipe, 3) == saved["graph"]["runs"]
        assert saved_things.runs(now, 3) == saved["graph"]["runs"], "and its program still gives the same"


def test_indices_are_read(folder, saved):
    for name, text in saved["indices"].items():
        (folder / f"{name}.idx").write_text(text)
    records = [np.frombuffer(one, np.uint8) for shard in saved_things.read_shards(folder) for one in shard]
    assert saved_things.digest(records) == saved["records"]


def test_answers_of_a_filter_are_read(tmp_path, saved):
    (tmp_path / "answers.npy").write_bytes(base64.b64decode(saved["filter"]["answers"]))
    chosen = source.filter([*range(9)], pytest.fail, tmp_path / "answers.npy")
    assert [chosen[k] for k in range(len(chosen))] == saved["filter"]["chosen"]


@pytest.mark.parametrize("later", [False, True])
def test_an_entry_of_a_cache_is_read_unless_a_later_version_wrote_it(tmp_path, saved, later):
    ((name, content),) = saved["cache"].items()
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    raw = base64.b64decode(content)
    path.write_bytes(raw[:7] + b"9" + raw[8:] if later else raw)
    found = Cache(str(tmp_path / "cache"), 1 << 20).get(saved_things.CACHED)
    assert found == (None if later else b"hello world") and path.exists() != later, (
        "what cannot be read is fetched anew"
    )


def test_an_exported_program_gives_the_same(folder, saved):
    custom_call_targets()
    program = export.deserialize(bytearray(base64.b64decode(saved["program"]["exported"])))
    results = program.call(*saved_things.arguments_of_exported(folder))
    assert saved_things.digest(results) == saved["program"]["results"]


def test_what_a_later_version_saved_is_refused_with_its_version(folder, saved):
    page = re.escape("https://jaxdali.github.io/jaxdali/stable/versions/#what-is-saved")
    for name, kept in saved["loaders"].items():
        with saved_things.loaders(folder)[name]() as loader, pytest.raises(ConfigError, match=rf"version 9, .*{page}"):
            loader.set_state({**kept["state"], "version": 9}, ignore=("data",))
    later = json.dumps({**json.loads(saved["pipeline"]["checkpoint"]), "version": 9, "more": 1})
    with pytest.raises(ConfigError, match=rf"has version 9, .*{page}"):
        saved_things.pipeline(checkpoint=later)
    with pytest.raises(ConfigError, match=rf"has version 9, .*{page}"):
        saved_things.iterator(checkpoints=[later])
    with pytest.raises(ConfigError, match=rf"version 9; .*{page}"):
        Pipeline.deserialize(json.dumps({**json.loads(saved["graph"]["saved"]), "version": 9, "more": 1}))


def test_fingerprints_stay():
    batch = {"x": np.arange(12, dtype=np.float32).reshape(4, 3), "y": np.arange(4, dtype=np.int16)}
    assert jaxdali.fingerprint(batch) == "2c919f9bad6202fc"
