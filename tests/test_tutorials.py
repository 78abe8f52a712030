"""Runs the programs of docs/tutorials and docs/guides, each page in an empty folder, and the code in tables of guides."""

from __future__ import annotations

import ast
import importlib.util
import os
import pathlib
import re
import socket
import subprocess
import sys

import guide_tables
import house_rules
import jax
import numpy as np
import peer_tables
import pytest
from page_checks import CHECKS, NEEDS, SLOW
from processes import compile_flags

import jaxdali


def write_program(page: str, folder: pathlib.Path) -> pathlib.Path:
    """Writes a page's programs, with their checks, as one."""
    blocks = re.findall(r"```python\n(.*?)```", (house_rules.ROOT / "docs" / page).read_text(), re.DOTALL)
    assert max(CHECKS[page]) == len(blocks) - 1, "the last program has a check"
    program = folder / "page.py"
    program.write_text("\n".join(block + CHECKS[page].get(i, "") for i, block in enumerate(blocks)))
    return program


def environment(devices: int, **variables: str) -> dict[str, str]:
    flags = f"{compile_flags()} --xla_force_host_platform_device_count={devices}"
    return {**os.environ, "XLA_FLAGS": flags, "HF_HUB_OFFLINE": "1", **variables}


def run_pages(pages: list[str], folder: pathlib.Path) -> None:
    """Runs the pages one after the other in one interpreter, which imports jax and compiles only once for all."""
    folders = [folder / page.replace("/", "-") for page in pages]
    for page, own in zip(pages, folders, strict=True):
        own.mkdir()
        write_program(page, own)
    command = [sys.executable, "-W", "error", "-c", _RUN_ALL, *map(str, folders)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment(devices=2))
    assert done.returncode == 0, done.stderr


_RUN_ALL = """
import os, runpy, sys
for folder in sys.argv[1:]:
    os.chdir(folder)
    runpy.run_path(f"{folder}/page.py", run_name="__main__")
"""


def test_the_programs_of_pages_run(tmp_path):
    run_pages([page for page in CHECKS if page not in SLOW], tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("page", CHECKS)
def test_the_programs_of_a_page_run(page, tmp_path):
    if page in NEEDS and importlib.util.find_spec(NEEDS[page]) is None:
        pytest.skip(f"{NEEDS[page]} is not installed")
    run_pages([page], tmp_path)


@pytest.mark.thorough
def test_several_processes_see_the_losses_of_one(tmp_path):
    command = [sys.executable, "-W", "error", str(write_program("tutorials/several_processes.md", tmp_path))]
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    numbered = [{"COORDINATOR": f"localhost:{port}", "PROCESSES": "2", "PROCESS": f"{k}"} for k in range(2)]
    environments = [environment(2), *(environment(1, **variables) for variables in numbered)]
    running = [
        subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=variables
        )
        for variables in environments
    ]
    try:
        told = [process.communicate(timeout=300) for process in running]
    finally:
        for process in running:
            process.kill()
            process.wait()
    for process, (_, errors) in zip(running, told, strict=True):
        assert process.returncode == 0, errors
    counts, losses = zip(*(output.splitlines()[-1].split(maxsplit=1) for output, _ in told), strict=True)
    alone, *together = map(ast.literal_eval, losses)
    assert counts == ("1", "2", "2") and together[0] == together[1]
    np.testing.assert_allclose(together[0], alone, rtol=1e-5)


def test_the_tables_of_torchvisions_guide_are_programs():
    """Each is traced, so it takes what it is given; tests/oracles/test_transforms_beside_torchvision.py compares pixels."""
    defined, operands = guide_tables.namespace(), guide_tables.given()

    def result_of(code):
        def run(operands):
            return eval(code, {**defined, **operands, "images": jaxdali.image.open(operands["x"])})

        return jax.eval_shape(run, operands)

    for transform in (defined["train_transform"], defined["train_transform_with_colors"]):
        made = jax.eval_shape(transform, {"image": operands["files"], "label": operands["counts"]}, operands["keys"])
        assert made["x"].shape == (2, 224, 224, 3) and made["x"].dtype == np.float32
    results = {transforms: jax.tree.leaves(result_of(code)) for transforms, code in guide_tables.rows().items()}
    assert len(results) > 55 and all(leaf.shape[0] == 2 for leaves in results.values() for leaf in leaves)


@pytest.mark.parametrize("page", peer_tables.PAGES)
def test_the_tables_of_guides_are_programs(page, tmp_path, monkeypatch):
    """tests/oracles/test_guides_beside_peers.py compares them with what the other library gives."""
    monkeypatch.chdir(tmp_path)
    peer_tables.write_files(tmp_path)
    defined = peer_tables.namespace(page)
    same, other = (peer_tables.rows(page, section) for section in peer_tables.PAGES[page])
    assert len(same) > 15 and all(peer_tables.samples(peer_tables.result(code, defined)) for _, code, _ in same)
    for _, code, _ in other:
        peer_tables.result(code, defined)


@pytest.mark.thorough  # each row is compiled twice
def test_operators_and_functions_of_the_guide_from_dali_have_the_same_numbers():
    x = np.random.default_rng(0).integers(0, 256, (2, 48, 64, 3), dtype=np.uint8)
    b = np.float32([[[0.1, 0.2, 0.4, 0.5]], [[0.3, 0.3, 0.9, 0.8]]])
    defined = peer_tables.namespace("guides/dali.md")
    rows = peer_tables.rows("guides/dali.md", "Operators and functions")

    @jaxdali.pipeline_def(batch_size=2, num_threads=1, device_id=None)
    def operators():
        images, boxes = jaxdali.fn.external_source(source=lambda: (x, b), num_outputs=2, layout=["HWC", ""])
        return tuple(eval(operator, {**defined, "images": images, "b": boxes}) for operator, _, _ in rows)

    with operators() as pipe:
        found = pipe.run()
    for output, (operator, function, _) in zip(found, rows, strict=True):
        expected = np.asarray(eval(function, {**defined, "x": jax.numpy.asarray(x), "b": b}))
        np.testing.assert_array_equal(output.as_cpu().as_array(), expected, operator)
