"""Runs the programs of docs/tutorials and docs/guides, each page in a fresh interpreter and an empty folder."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys

import house_rules
import pytest
from page_checks import CHECKS, NEEDS
from processes import compile_flags


@pytest.mark.parametrize("page", CHECKS)
def test_the_programs_of_a_tutorial_run(page, tmp_path):
    if page in NEEDS and importlib.util.find_spec(NEEDS[page]) is None:
        pytest.skip(f"{NEEDS[page]} is not installed")
    blocks = re.findall(r"```python\n(.*?)```", (house_rules.ROOT / "docs" / page).read_text(), re.DOTALL)
    assert max(CHECKS[page]) == len(blocks) - 1, "the last program has a check"
    program = tmp_path / "page.py"
    program.write_text("\n".join(block + CHECKS[page].get(i, "") for i, block in enumerate(blocks)))
    environment = {**os.environ, "XLA_FLAGS": f"{compile_flags()} --xla_force_host_platform_device_count=2"}
    command = [sys.executable, "-W", "error", str(program)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr
