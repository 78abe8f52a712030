"""Checks .ci/run's promises without running it: budgets, versions, and what it does if no second Python is found."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import tomllib

import pytest
from house_rules import ROOT

CI = ROOT / ".ci"
RUN = (CI / "run").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_the_steps_together_keep_their_budget():
    (whole,) = map(int, re.findall(r"^all_budgets=(\d+)", RUN, re.MULTILINE))
    steps = re.findall(r"^ *step .*$", RUN, re.MULTILINE)
    budgets = {step: re.search(r'" (\d+)$', step) for step in steps}
    assert len(steps) > 5 and None not in budgets.values(), "a step is one line, `step NAME MINUTES`"
    assert sum(int(budget[1]) for budget in budgets.values() if budget) <= whole


def pins(name: str) -> list[str]:
    return [line for line in (CI / name).read_text().splitlines() if line and not line.startswith("#")]


def name_of(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9-]", requirement)[0]


def test_every_version_is_written_down():
    groups = PROJECT["project"]["optional-dependencies"]
    wanted = [*PROJECT["build-system"]["requires"], *PROJECT["project"]["dependencies"]]
    wanted += [entry for group in ("test", "dev", "examples", "oracles") for entry in groups[group]]
    wanted = [entry for entry in wanted if "==" not in entry and name_of(entry) != "jaxdali"]
    pinned = pins("tools.txt") + pins("libraries.txt")
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9.]+", entry) for entry in pinned)
    assert pinned == sorted(pins("tools.txt"), key=name_of) + sorted(pins("libraries.txt"), key=name_of)
    assert {*map(name_of, wanted)} <= {*map(name_of, pinned)}
    libraries = {name_of(entry) for entry in [*PROJECT["project"]["dependencies"], *groups["examples"]]}
    assert {*map(name_of, pins("libraries.txt"))} == libraries, "what LIBRARIES=newest lets loose"


@pytest.mark.parametrize("path", [path for path in CI.iterdir() if path.suffix == ""], ids=lambda path: path.name)
def test_whatever_calls_pip_asks_for_those_versions(path):
    text = re.sub(r"^ *#.*", "", path.read_text(), flags=re.MULTILINE)
    calls = re.findall(r'^.*/pip" (?:install|wheel).*(?:\\\n.*)*', text, re.MULTILINE)
    if calls:
        assert ". .ci/pins\n" in text[: text.index(calls[0])]
    named = [word for call in calls for word in call.split() if word.startswith("nvidia-")]
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9.]+", word) for word in named)


def run_with(folder: pathlib.Path, newest: str, allowed: str = "") -> tuple[int, str, list[str]]:
    """Runs .ci/run with a `make` that only notes its arguments. Returns the exit status, the output, and the notes."""
    for name in (".ci", "tests", "bin"):
        (folder / name).mkdir()
    shutil.copy(CI / "run", folder / ".ci")
    (folder / "tests" / "allowed_skips.txt").write_text(allowed)
    notes = folder / "notes"
    notes.touch()
    commands = {
        ".ci/newest_python": f"echo {newest}",
        "bin/make": f'echo "$*" >>"{notes}"',
        "bin/id": "echo 1000",
    }
    for name, text in commands.items():
        path = folder / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "TMPDIR": str(folder)}
    environment.pop("JAXDALI_CI_TIMED", None)
    done = subprocess.run([folder / ".ci" / "run"], env=environment, capture_output=True, text=True, cwd=folder)
    return done.returncode, done.stdout + done.stderr, notes.read_text().splitlines()


def noted(notes: list[str], target: str) -> list[str]:
    """Returns the arguments of each `make TARGET`."""
    calls = [note.removeprefix("--no-print-directory ").split(" ", 1) for note in notes]
    return ["".join(arguments) for name, *arguments in calls if name == target]


def test_the_newest_python_tests_the_wheel_with_the_newest_libraries(tmp_path):
    status, printed, notes = run_with(tmp_path, "/opt/bin/python3.99")
    assert status == 0 and printed.splitlines()[-1].startswith("== all of it passed"), printed
    assert noted(notes, "test") == ["ARGS=-q --durations=15"]
    assert noted(notes, "wheel-test") == ["PYTHON=/opt/bin/python3.99 LIBRARIES=newest"]


def test_a_missing_second_python_fails_where_no_line_allows_it(tmp_path):
    reason = "no Python from 3.12 on is here that can build jaxdali"
    line = f".ci/run::second Python -- {reason}"
    for name, allowed, expected in (("without", "", 1), ("with", f"{line}\n", 0), ("other", f"{line} today\n", 1)):
        (tmp_path / name).mkdir()
        status, printed, notes = run_with(tmp_path / name, "", allowed)
        assert status == expected and reason in printed, printed
        assert ("== failed: smoke tests on a wheel" in printed and f"write '{line}'" in printed) == bool(expected)
        assert noted(notes, "wheel-test") == ([] if expected else [""]), "the default Python tests it"


def test_the_hosted_workflow_runs_what_the_clone_runs():
    text = (ROOT / ".github/workflows/ci.yml").read_text()
    whole, gpu = text.split("\n  gpu:\n")
    (limit,) = re.findall(r"^limit=(\d+)m$", RUN, re.MULTILINE)
    (minutes,) = re.findall(r"timeout-minutes: (\d+)", whole)
    assert whole.endswith("- run: .ci/run") and int(minutes) > int(limit)
    assert PROJECT["project"]["requires-python"] == ">=3.11" and "            3.11\n" in whole
    assert 'JAXDALI_REQUIRE_GPU: "1"' in gpu and "pytest -m gpu" in gpu
    libraries = re.search(r"pip install --constraint (\S+) (.*)\n", gpu)
    assert libraries is not None and (ROOT / libraries[1]).is_file()
    wanted = {name_of(entry) for entry in PROJECT["project"]["optional-dependencies"]["cuda13"]}
    assert {name_of(word.strip('"')) for word in libraries[2].split()} == wanted
