"""Runs the examples as they are, in a fresh process or through their functions."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image
from processes import compile_flags

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES))

import decode_in_jit  # noqa: E402
import flax_train  # noqa: E402
import make_images  # noqa: E402


def run_demo(output: pathlib.Path, *arguments: str) -> str:
    command = [sys.executable, "-W", "error", str(EXAMPLES / "demo.py"), "--output", str(output)]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=120, cwd=output.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    # Without a GPU "mixed" means the CPU; one message says so.
    assert done.stderr.count("run on the CPU") == 1
    return done.stdout


def test_the_demo_checks_every_pixel_and_draws(tmp_path):
    text = run_demo(tmp_path / "demo")
    assert "96 images compared" in text and "all equal, bit for bit" in text
    for name in ("training", "validation"):
        with Image.open(tmp_path / "demo" / f"{name}.png") as sheet:
            assert sheet.width > 1000 and len(sheet.convert("RGB").getcolors(1 << 20)) > 1000


@pytest.mark.thorough
def test_the_demo_takes_a_folder_without_a_list(tmp_path):
    folder = tmp_path / "my photos"
    make_images.make_images(folder, count=9)
    (folder / "file_list.txt").unlink()
    for _ in range(2):  # the second run finds what the first one left
        assert "32 images compared" in run_demo(tmp_path / "demo", "--images", str(folder))

    listed = (tmp_path / "demo" / "data" / "listed" / "file_list.txt").read_text().splitlines()
    assert listed == [f"{number:06d}.jpg {label}" for number, label in enumerate([0] * 5 + [1] * 4)]


def test_the_demo_fails_when_a_pixel_is_wrong(tmp_path):
    code = (
        "import sys, demo\n"
        "right = demo.formula\n"
        "demo.formula = lambda pixels, contrast: right(pixels, contrast) ^ (pixels.shape[:2] == (240, 320))\n"
        "sys.argv[1:] = ['--output', 'demo']\n"
        "demo.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(EXAMPLES)},
    )
    assert done.returncode == 1
    assert "image 0 of epoch 0 (lake/lake_00.jpg) is wrong" in done.stderr
    assert "equal" not in done.stdout


def test_the_demo_replaces_no_folder_of_the_user(tmp_path):
    (tmp_path / "data" / "images").mkdir(parents=True)
    command = [sys.executable, str(EXAMPLES / "demo.py"), "--output", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "is in the way" in done.stderr
    assert (tmp_path / "data" / "images").is_dir() and not (tmp_path / "data" / "images").is_symlink()


def test_the_generated_set_is_mixed_and_deterministic(tmp_path):
    entries = make_images.make_images(tmp_path / "a")
    make_images.make_images(tmp_path / "b")
    sizes, modes, chroma, progressive, orientations = set(), set(), set(), 0, set()
    for name, _ in entries:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
        with Image.open(tmp_path / "a" / name) as image:
            sizes.add(image.size)
            modes.add(image.mode)
            chroma.add(tuple(component[1:3] for component in image.layer))
            progressive += "progressive" in image.info
            orientations.add(image.getexif().get(0x0112, 1))
    assert len(sizes) > 8 and modes == {"RGB", "L"} and len(chroma) >= 4
    assert progressive and orientations == {1, 6}


def test_training_from_files_equals_training_from_arrays():
    from_files, from_arrays, _ = flax_train.compare(40, workers=2)
    np.testing.assert_allclose(from_files, from_arrays, atol=1e-3)
    assert len(from_files) == 40 and from_files[-10:].max() < 0.5 * from_files[:10].min()


def test_decoding_inside_a_step_compares_itself_with_numpy(tmp_path, monkeypatch, capsys):
    make_images.make_images(tmp_path, count=6)
    monkeypatch.setattr(sys, "argv", ["decode_in_jit", "--images", str(tmp_path), "--steps", "3", "--batch", "4"])
    decode_in_jit.main()
    text = capsys.readouterr().out
    assert ": 0 levels from Pillow's pixels" in text and "3 steps, loss 0." in text
    monkeypatch.setattr(decode_in_jit, "from_pillow", lambda *_, **__: np.ones((4, 64, 64, 3)))
    with pytest.raises(SystemExit, match="levels off"):
        decode_in_jit.main()


def test_resnet50_trains_and_measures(tmp_path):
    small = ["--tiny", "--width", "4", "--size", "32", "--batch-size", "8", "--files", "16"]
    short = ["--steps", "6", "--pairs", "2", "--feeds", "jaxdali", "--workers", "2", "--trace", "2"]
    command = [sys.executable, str(EXAMPLES / "resnet50.py"), *small, *short, "--json", str(tmp_path / "found")]
    # Compiling two networks takes most of the time, and what counts here is that they run, not how fast.
    environment = {**os.environ, "XLA_FLAGS": f"{compile_flags()} --xla_backend_optimization_level=0"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "found").read_text())
    assert found["summaries"]["jaxdali"]["steps"] == 6 and found["summaries"]["jaxdali"]["workers_cpu_ms"] >= 0
    assert [len(segment) for segment in found["measured"]["jaxdali"]["times_s"]] == [3, 3]
    assert np.isfinite(found["measured"]["jaxdali"]["losses"]).all()
    assert "jaxdali, on the GPU" in done.stdout and "nothing: jax's profiler tells of GPUs only" in done.stdout


def run_example(name: str, *arguments: str) -> str:
    environment = {**os.environ, "XLA_FLAGS": compile_flags()}
    command = [sys.executable, "-W", "error", str(EXAMPLES / name), *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=240, env={**environment, "JAX_PLATFORMS": "cpu"}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.thorough
def test_training_that_is_killed_goes_on_on_another_number_of_devices():
    text = run_example("sharded_training.py", "--steps", "20")
    assert "killed after step 9 on 4 devices, resumed at step 1" in text and " on 2;" in text
    assert "20 of 20 batches are those of the run that was not killed" in text


def test_pmap_is_fed_by_a_pipeline_a_device():
    text = run_example("pmap_training.py", "--epochs", "2")
    assert [line.split(" in ")[0] for line in text.splitlines()] == [
        "epoch 0: 2 steps on 8 devices",
        "epoch 1: 2 steps on 8 devices",
    ]


@pytest.mark.thorough
def test_several_processes_train_as_one():
    text = run_example("multi_process.py", "--steps", "3")
    assert text.startswith("2 processes, 4 devices, 3 steps: loss 0.6931 -> 0.")


def test_the_recipes_of_the_loader():
    command = [sys.executable, "-W", "error", str(EXAMPLES / "recipes.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    found = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert found["segmentation"].startswith("(4, 32, 32, 3), classes to 20, scene")
    assert found["packed"].startswith("(4, 128), 9") and found["bucketed"] == "widths [16, 32, 64]"
    assert found["streamed"].startswith("went on with 'text ")
    assert found["replicated"] == "{((2, 4, 8, 8, 3), (2,))}"
