"""`jaxdali bench`, as a process."""

import json
import re
import statistics

import pytest
from cli_runs import DAMAGED, GOOD, damaged_folder, run
from PIL import Image

from jaxdali.cli.main import main

__all__ = ["damaged_folder"]

QUICK = ("--batch-size", 4, "--workers", 1, "--rounds", 3, "--seconds", 0.05)


def test_a_table_and_numbers(damaged_folder, tmp_path):
    done = run("bench", damaged_folder, *QUICK, "--json", tmp_path / "numbers.json")
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "numbers.json").read_text())
    files = GOOD + 1 + len(DAMAGED)
    assert (result["files"], result["files_read"], result["damaged"]) == (files, files, DAMAGED)
    assert (result["batch_size"], result["workers"], len(result["rounds"])) == (4, 1, 3)
    assert result["images_per_s"] == statistics.median(result["rounds"])
    assert 0 < result["smallest"] <= result["images_per_s"] <= result["largest"]
    table = dict(re.split(r"  +", line, maxsplit=1) for line in done.stdout.splitlines())
    assert table["distinct files"] == f"{files} read of {files}, {len(DAMAGED)} damaged"
    assert table["images/s"].startswith(f"{result['images_per_s']:.0f} (") and "3 rounds" in table["images/s"]
    assert table["output"] == "float32[4, 224, 224, 3]"
    assert all(f"{name}: {status}\n" in done.stderr for name, status in DAMAGED.items())


def test_nothing_is_measured_where_nothing_can_be_decoded(tmp_path, capsys):
    (tmp_path / "a.jpg").write_text("no image")
    assert main(["bench", str(tmp_path), *map(str, QUICK)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "none of its 1 images can be decoded" in said.err and "a.jpg: CORRUPT" in said.err


def test_a_file_that_cannot_be_written_is_said_before_anything_is_measured(damaged_folder):
    done = run("bench", damaged_folder, "--seconds", 1000, "--json", "/proc/numbers.json")
    assert done.returncode == 1 and "/proc/numbers.json" in done.stderr and "Traceback" not in done.stderr


def test_without_matplotlib_it_says_what_to_install(damaged_folder, tmp_path):
    (tmp_path / "matplotlib.py").write_text("raise ImportError('it is hidden')")
    done = run("bench", damaged_folder, "--plot", tmp_path / "plot.png", PYTHONPATH=str(tmp_path))
    assert done.returncode == 2 and "pip install matplotlib" in done.stderr
    assert not (tmp_path / "plot.png").exists()


def test_the_rounds_are_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    from jaxdali.cli.plot import draw_rounds

    result = {"rounds": [3.0, 5.0], "images_per_s": 4.0, "files": 7, "device": "cpu", "workers": 2, "batch_size": 4}
    draw_rounds(result, str(tmp_path / "plot.png"))
    with Image.open(tmp_path / "plot.png") as drawn:
        assert drawn.format == "PNG" and len(drawn.convert("RGB").getcolors(1 << 20) or ()) > 2
