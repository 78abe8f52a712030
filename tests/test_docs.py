"""What the documents say is there: their links, and the README's programs."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import house_rules
import pytest

sys.path.insert(0, str(house_rules.ROOT / "examples"))

import make_images

PAGES = [p for p in [*house_rules.ROOT.glob("*.md"), *house_rules.ROOT.glob("docs/*.md")] if p.is_file()]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
        assert target.startswith("http") or (page.parent / target).exists(), target


def test_the_programs_of_the_readme_run(tmp_path):
    readme = house_rules.ROOT / "README.md"
    make_images.make_images(tmp_path / "train")
    blocks = re.findall(r"```python\n(.*?)```", readme.read_text(), re.DOTALL)
    assert len(blocks) == 13
    given = "state = None\ndef train_step(state, *batch): return state if len(batch) == 2 else (state, {})\n"
    given += "import numpy\nframes, stream = numpy.zeros((8, 48, 64, 3), numpy.uint8), None\n"
    blocks[2] += "assert resized.shape() == [(224, 224, 3)] * 8\n"
    blocks[4] += "assert len(batches) == 24 // (8 * len(jax.devices())) + bool(24 % (8 * len(jax.devices())))\n"
    blocks[5] += "assert batch['images'].shape == (8, 3, 224, 224)\n"
    blocks[6] += "assert images.shape() == [(224, 224, 3)] * 8 and len(set(numpy.ravel(labels.as_array()))) > 1\n"
    blocks[7] = blocks[7].replace("epochs=90", "epochs=2") + "assert step == 5, step\n"
    blocks[8] += "assert loader.step == 2 * 3 and batch['x'].shape == (8, 64, 64, 3)\n"
    blocks[9] += "assert len(mixed) == 120 and batch['noise'].shape == (8, 3), batch\n"
    blocks[10] += "assert jaxdali.Loader(counted, batch_size=8).steps_per_epoch == 3\n"
    blocks[11] += "assert batch['y'].shape == (8, 10) and (batch['y'] > 0).sum() > 8\n"
    blocks[12] += "assert pixels.shape == (4, 1024, 1024, 3)\n"
    path = tmp_path / "readme.py"
    path.write_text(given + "\n".join(blocks))
    command = [sys.executable, "-W", "error", str(path)]
    # The suite's eight devices would have the same programs compiled for each of them.
    environment = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stderr
