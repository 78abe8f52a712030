"""`jaxdali bench`, as a process."""

import json
import re
import statistics
import subprocess
import sys

import pytest
from cli_runs import DAMAGED, GOOD, damaged_folder, run
from PIL import Image

from jaxdali._base.cpus import decode_processes
from jaxdali._cli import process_usage as processes
from jaxdali._cli.main import main

__all__ = ["damaged_folder"]

PIPES: dict = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
QUICK = ("--batch-size", 4, "--workers", 1, "--rounds", 3, "--seconds", 0.05)


def test_a_table_and_numbers(damaged_folder, tmp_path):
    done = run("bench", damaged_folder, *QUICK, "--json", tmp_path / "numbers.json")
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "numbers.json").read_text())
    files = GOOD + 1 + len(DAMAGED)
    assert (result["files"], result["files_read"], result["damaged"]) == (files, files, DAMAGED)
    assert (result["batch_size"], result["workers"], len(result["rounds"])) == (4, decode_processes(), 3)
    assert result["images_per_s"] == statistics.median(result["rounds"])
    assert 0 < result["smallest"] <= result["images_per_s"] <= result["largest"]
    table = dict(re.split(r"  +", line, maxsplit=1) for line in done.stdout.splitlines())
    assert table["distinct files"] == f"{files} read of {files}, {len(DAMAGED)} damaged"
    assert table["images/s"].startswith(f"{result['images_per_s']:.0f} (") and "3 rounds" in table["images/s"]
    assert table["output"] == "0 float32[4, 224, 224, 3]"
    assert table["decoder"] == "libjpeg-turbo" and result["device"] == table["device"] == "cpu (cpu)"
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
    from jaxdali._cli.plot import draw_rounds

    draw_rounds([3.0, 5.0], "images", "7 files", str(tmp_path / "plot.png"))
    with Image.open(tmp_path / "plot.png") as drawn:
        assert drawn.format == "PNG" and len(drawn.convert("RGB").getcolors(1 << 20) or ()) > 2


PROGRAM = """
import dataclasses

import numpy as np
from beside import NAME

import jaxdali
from jaxdali import fn, pipeline_def


@dataclasses.dataclass
class Samples:
    count: "int"

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return {"x": np.full((2, 3), index, np.uint8), NAME: f"{index}"}


loader = jaxdali.Loader(Samples(10), batch_size=4, last_batch="mask", epochs=1, workers=1)
assert sum(1 for _ in jaxdali.Loader(Samples(10), batch_size=4, last_batch="mask", epochs=1, workers=0)) == 3


@pipeline_def(batch_size=4, device_id=None)
def pipe():
    return fn.external_source(source=lambda info: np.zeros(3, np.float32), batch=False)


def broken():
    raise ValueError("it is the program's")


def wanting(size):
    return number


number = 7
if __name__ == "__main__":
    raise SystemExit("run as the main program")
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """A program whose file name is no module name, with a module next to it."""
    folder = tmp_path_factory.mktemp("program")
    (folder / "beside.py").write_text("NAME = 'name'")
    (folder / "my program.py").write_text(PROGRAM)
    return folder / "my program.py"


def test_a_loader_of_a_program_is_measured_over_its_epochs(program, tmp_path):
    json_file = tmp_path / "numbers.json"
    done = run("bench", f"{program}:loader", "--rounds", 2, "--seconds", 0.05, "--json", json_file, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    result = json.loads(json_file.read_text())
    table = dict(re.split(r"  +", line, maxsplit=1) for line in done.stdout.splitlines())
    assert table["program"] == f"{program}:loader, a Loader" and result["kind"] == "Loader"
    assert result["output"] == table["output"] == "name object[4], x uint8[4, 2, 3]"
    assert len(result["rounds"]) == 2 and result["samples_per_s"] == statistics.mean(result["rounds"])
    assert result["processes"] >= 1 and result["memory"] > 1 << 20 and result["cpu_us"] > 0
    assert set(result["waited"]) == {"source", "decoder", "device", "dispatch"}
    assert sum(result["waited"].values()) <= 1.001 and result["advice"] == table["advice"]


def test_functions_of_a_program_are_called(program, capsys, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert main(["bench", f"{program}:pipe", "--rounds", "1", "--seconds", "0.01"]) == 0
    said = capsys.readouterr()
    assert "a Pipeline" in said.out and "float32[4, 3]" in said.out
    with pytest.raises(ValueError, match="it is the program's"):
        main(["bench", f"{program}:broken"])


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("{}", "choose the Loader or Pipeline in it"),
        ("{}:nowhere", "has no 'nowhere' at its top level; it has loader"),
        ("{}:wanting", "called without arguments, but missing a required argument: 'size': give it a default"),
        ("{}:number", "a function without arguments that returns one, got int"),
        ("{}.py:loader", "there is no such file"),
        ("{}:loader --workers 3", "--workers is for folders"),
    ],
)
def test_what_is_no_loader_is_a_wrong_argument(program, capsys, monkeypatch, named, message):
    monkeypatch.setattr(sys, "path", [*sys.path])
    name, *options = named.split(" ")
    assert main(["bench", name.format(program), *options]) == 2
    assert message in capsys.readouterr().err


def test_what_processes_cost_is_read():
    before = processes.cpu_times()
    with subprocess.Popen(
        [sys.executable, "-c", "sum(range(3_000_000)); print(flush=True); input()"], **PIPES
    ) as child:
        assert child.stdout is not None and child.stdout.readline()
        assert child.pid in processes.descendants()
        used = processes.cpu_times()
        assert used[child.pid] > 0 and processes.cpu_s_since(before) >= used[child.pid]
        assert processes.memory() > 1 << 20
        child.communicate(b"\n")
    assert child.pid not in processes.descendants()
