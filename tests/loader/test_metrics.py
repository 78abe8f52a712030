"""`metrics()` of Loaders and pipelines: the names that are documented, and numbers that add up."""

import importlib
import io
import re
from typing import Any

import house_rules
import numpy as np
import pytest
from damaged_files import FILES, GOOD, MAX_IMAGE_PIXELS
from PIL import Image

import jaxdali as dali
from jaxdali import Loader
from jaxdali.image import decode_resample

LEVELS = {"queue_depth", "queue_requested", "workers_alive", "slots_leased"}
RATES = {"samples_per_s": "samples", "batches_per_s": "batches", "bytes_per_s": "bytes"}


def png(height, width):
    stream = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(stream, "PNG")
    return stream.getvalue()


class Folder:
    """16 files, some of which are damaged, and 5 PNG files."""

    files = (*FILES, *[png(20, 30)] * 5)

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        return {"image": self.files[index], "index": np.int32(index)}


def small(batch, keys):
    return decode_resample(batch["image"], None, (8, 8)), batch["index"]


def test_a_run_adds_up_however_often_it_is_asked():
    loader = Loader(
        *(Folder(), small),
        **{"batch_size": 4, "workers": 0, "epochs": 1, "on_error": "zeros", "max_image_pixels": MAX_IMAGE_PIXELS},
        last_batch="mask",
    )
    assert not any(loader.metrics().values())
    seen = []
    with loader:
        for step, _ in loader.enumerate():
            if step in (0, 3):
                seen.append(loader.metrics())
                assert seen[-1]["workers_alive"] == 0 and seen[-1]["slots_leased"] >= 0
                assert 0 <= seen[-1]["queue_depth"] <= seen[-1]["queue_requested"]
        assert loader.metrics()["samples"] == 5  # without the padding
    stats = loader.stats()
    assert [one["batches"] for one in seen] == [1, 3] and [one["samples"] for one in seen] == [4, 12]
    assert sum(one["truncated_images"] for one in seen) == stats.images_failed["TRUNCATED"] == 2
    assert sum(one["failed_images"] for one in seen) == sum(stats.images_failed.values()) == 5
    for one in seen:
        assert one["seconds"] > 0 and 0 <= one["waiting"] <= 1
        for rate, count in RATES.items():
            assert one[rate] * one["seconds"] == pytest.approx(one[count])
        assert one["wait_source_s"] + one["wait_device_s"] + one["dispatch_s"] <= one["next_s"] * (1 + 1e-6)
    # Of the first 16 files, only the damaged PNG was looked into before the device function.
    assert sum(one["jpeg_files"] for one in seen) == 15 and sum(one["decoded_images"] for one in seen) == 0
    assert sum(one["bytes"] for one in seen) == sum(map(len, FILES)) + 16 * 4
    closed = loader.metrics()
    assert not any(value for name, value in closed.items() if name != "seconds"), closed


def test_what_was_decoded_before_counts_as_such():
    with Loader(Folder(), batch_size=7, workers=0, epochs=1, max_image_pixels=MAX_IMAGE_PIXELS) as loader:
        loader.seek(2)
        next(iter(loader))
        last = loader.metrics()
    assert (last["samples"], last["decoded_images"], last["jpeg_files"]) == (7, 5, 2)
    assert last["bytes"] == len(FILES[14]) + len(FILES[15]) + 5 * 20 * 30 * 3 + 7 * 4


def test_the_rest_of_a_run_is_told_after_its_end():
    data = dali.source.Arrays(x=np.arange(6, dtype=np.int16))
    with Loader(data, batch_size=2, workers=0, epochs=1) as loader:
        assert len(list(loader)) == 3
    rest, nothing = loader.metrics(), loader.metrics()
    assert (rest["samples"], rest["bytes"]) == (6, 12) and rest["seconds"] > 0
    assert not any(nothing.values())


def test_the_page_has_every_name():
    page = (house_rules.ROOT / "docs" / "metrics.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \|([^|]*)\| (count|rate|level) \| (.+) \|$", page, re.MULTILINE)
    loader = Loader(dali.source.Arrays(x=np.arange(6)), batch_size=2, workers=0)
    pipe = dali.Pipeline(batch_size=1)
    assert sorted(name for name, *_ in rows) == sorted(loader.metrics())
    assert {*pipe.metrics()} == {*loader.metrics()}
    assert {name for name, _, kind, _ in rows if kind == "level"} == LEVELS
    assert {name for name, _, kind, _ in rows if kind == "rate"} == {*RATES, "waiting"}


# What the programs of docs/metrics.md need besides jaxdali, in their order.
PACKAGES = ["", "tensorboard.summary", "clu.metric_writers", "wandb", "prometheus_client"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # those of the packages are none of ours
@pytest.mark.parametrize("package", PACKAGES)
def test_a_recipe_runs_where_its_package_is_installed(package, tmp_path, monkeypatch):
    try:
        module: Any = importlib.import_module(package) if package else None
    except ImportError as error:
        pytest.skip(f"{package} cannot be imported: {error}")
    page = (house_rules.ROOT / "docs" / "metrics.md").read_text()
    program = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[PACKAGES.index(package)]
    # Another server may have that port.
    program = program.replace("epochs=90", "epochs=2").replace("workers=1", "workers=0").replace("port=9400", "port=0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WANDB_SILENT", "true")
    (tmp_path / "train" / "a").mkdir(parents=True)
    for number in range(24):
        (tmp_path / "train" / "a" / f"{number}.jpg").write_bytes(GOOD)
    loader = Loader(dali.source.Arrays(x=np.arange(24)), batch_size=4, workers=0, epochs=1)
    names = {"loader": loader, "state": None, "train_step": lambda state, batch: (state, {})}
    exec(compile(program, "docs/metrics.md", "exec"), names)
    assert names["loader"].step == 6
    if package == "wandb":
        module.teardown()  # as at the end of a program: another process writes the file
    written = [path for path in tmp_path.rglob("*") if "tfevents" in path.name or path.suffix == ".wandb"]
    if package in ("tensorboard.summary", "wandb"):
        assert max(path.stat().st_size for path in written) > 500
    elif package == "prometheus_client":
        text = module.generate_latest().decode()
        assert "\njaxdali_samples_total 20.0\n" in text and "\njaxdali_queue_depth 1.0\n" in text
    elif not package:
        assert names["metrics"]["input/samples"] == 40 == names["metrics"]["input/jpeg_files"]
