"""Checks .ci/run's promises without running it: budgets, versions, and what it does if no second Python is found."""

from __future__ import annotations

import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
import step_keys
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


def scripts() -> list[pathlib.Path]:
    return sorted(path for path in CI.rglob("*") if path.is_file() and path.suffix == "")


@pytest.mark.parametrize("path", scripts(), ids=lambda path: path.name)
def test_whatever_installs_packages_asks_for_those_versions(path):
    text = re.sub(r"^ *#.*", "", path.read_text(), flags=re.MULTILINE)
    calls = re.findall(r'(?:/pip"|"\$uv" pip) (?:install|compile).*', text)
    if calls:
        assert ". .ci/pins\n" in text[: text.index(calls[0])]
    named = [word for word in text.replace(")", " ").split() if word.startswith("nvidia-")]
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9.]+", word) for word in named), named


def test_every_package_that_builds_has_a_version():
    (named,) = re.findall(r"build-tools (.*)", (CI / "build_tools").read_text())
    pinned = {*map(name_of, pins("tools.txt") + pins("libraries.txt"))}
    assert all("==" in word or word in pinned for word in named.split())
    assert {*map(name_of, PROJECT["build-system"]["requires"])} <= {*map(name_of, named.split())}


def run_with(folder: pathlib.Path, newest: str, allowed: str = "", *arguments: str) -> tuple[int, str, list[str]]:
    """Runs .ci/run with a `make` that only notes its arguments. Returns the exit status, the output, and the notes."""
    for name in (".ci", "tests", "bin"):
        (folder / name).mkdir(exist_ok=True)
    shutil.copy(CI / "run", folder / ".ci")
    shutil.copy(CI / "step_keys.py", folder / ".ci")
    (folder / "tests" / "allowed_skips.txt").write_text(allowed)
    notes = folder / "notes"
    notes.write_text("")
    commands = {
        ".ci/newest_python": f"echo {newest}",
        ".ci/versions": "echo a==1",
        ".ci/sanitizing_compiler": "true",
        "bin/make": f"""echo "$*" >>"{notes}"; case "$*" in *"${{BROKEN:-none}}"*) exit 3 ;; esac""",
        "bin/id": "echo 1000",
        "bin/python3": f'exec "{sys.executable}" "$@"',
    }
    for name, text in commands.items():
        path = folder / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "TMPDIR": str(folder)}
    environment["XDG_CACHE_HOME"] = str(folder / "cache")
    environment.pop("JAXDALI_CI_TIMED", None)
    done = subprocess.run(
        [folder / ".ci" / "run", *arguments], env=environment, capture_output=True, text=True, cwd=folder
    )
    return done.returncode, done.stdout + done.stderr, notes.read_text().splitlines()


def noted(notes: list[str], target: str) -> list[str]:
    """Returns the arguments of each `make TARGET`."""
    calls = [note.removeprefix("--no-print-directory ").split(" ", 1) for note in notes]
    return ["".join(arguments) for name, *arguments in calls if name == target]


def test_one_step_runs_alone(tmp_path):
    status, printed, notes = run_with(tmp_path, "", "", "--only", "check")
    assert (status, notes) == (0, ["--no-print-directory check"])
    assert printed.splitlines()[-1].startswith("== passed: check"), "and nothing is said of the others"
    for arguments in (["--only", "cheque"], ["--only"], ["--oly"]):
        status, printed, notes = run_with(tmp_path, "", "", *arguments)
        assert status != 0 and notes == [] and "all of it passed" not in printed
    assert "wheel oracles" in run_with(tmp_path, "", "", "--only", "cheque")[1], "the names that there are"


def remembered(folder: pathlib.Path, *arguments: str) -> tuple[int, str, list[str]]:
    """Runs .ci/run in a repository, with a second Python. Returns the status, the output, and which keyed steps ran."""
    status, printed, notes = run_with(folder, "/opt/python3.99", "", *arguments)
    targets = [note.split()[1] for note in notes]
    return status, printed, [name for name in targets if name in ("oracles", "fuzz", "cuda-build")]


def test_what_passed_before_is_skipped_until_an_input_changes(tmp_path, monkeypatch):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "ffi").mkdir()
    (tmp_path / "jaxdali").mkdir()
    everything = ["oracles", "fuzz", "cuda-build"]
    assert remembered(tmp_path)[::2] == (0, everything)
    status, printed, ran = remembered(tmp_path)
    assert (status, ran) == (0, []) and printed.count("skipped: its inputs are those that passed on 2") == 3
    assert remembered(tmp_path, "--all")[::2] == (0, everything)
    (tmp_path / "jaxdali" / "a.py").write_text("x = 1\n")
    assert remembered(tmp_path)[2] == ["oracles"]
    for path in (tmp_path / "cache/jaxdali/passed").iterdir():
        old = datetime.datetime.now(datetime.UTC) - datetime.timedelta(step_keys.DAYS, 1)
        path.write_text(old.isoformat())
    assert remembered(tmp_path)[2] == everything, "the keys are too old"
    # A step that failed leaves no key.
    (tmp_path / "ffi" / "a.cc").write_text("int x;\n")
    monkeypatch.setenv("BROKEN", "fuzz")
    assert remembered(tmp_path)[::2] == (3, ["oracles", "fuzz"])
    monkeypatch.delenv("BROKEN")
    assert remembered(tmp_path)[2] == ["fuzz", "cuda-build"]


def test_without_a_repository_nothing_is_skipped(tmp_path):
    for _ in range(2):
        status, printed, ran = remembered(tmp_path)
        assert status == 0 and len(ran) == 3 and "not a git repository" in printed


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


def test_the_release_has_wheels_for_what_the_package_says():
    text = (ROOT / ".github/workflows/release.yml").read_text()
    kinds = re.findall(
        r"^Programming Language :: Python :: (3\.\d+)$", "\n".join(PROJECT["project"]["classifiers"]), re.M
    )
    assert len(kinds) > 3 and f'PYTHONS="{" ".join(kinds)}"' in text, "built for each"
    assert f"python: [{', '.join(map(json.dumps, kinds))}]" in text, "tested with each"
    # In Debian 12, with its own Python, and one for the wheel of the stable ABI.
    assert f"container: python:{kinds[1]}-bookworm" in text and f"python{kinds[0]}-dev" in text
    assert PROJECT["project"]["requires-python"] == f">={kinds[0]}"
    assert f"Python {kinds[0]} to {kinds[-1]}" in (ROOT / "README.md").read_text()
    assert f"| Python | {kinds[0]} to {kinds[-1]} |" in (ROOT / "docs/versions.md").read_text()
    # Only the job that publishes may, and it runs nothing of the repository's.
    *others, publish = re.split(r"^  \w+:$", text.partition("\njobs:\n")[2], flags=re.M)
    assert "id-token: write" in publish and "environment: release" in publish and "run:" not in publish
    assert not any("write" in job for job in others) and "secrets." not in text
    assert all(re.fullmatch(r"[a-z-]+/[a-z-]+@[0-9a-f]{40} # v[0-9.]+", use) for use in re.findall(r"uses: (.*)", text))


def test_the_hosted_workflow_runs_what_the_clone_runs():
    text = (ROOT / ".github/workflows/ci.yml").read_text()
    whole, gpu = text.split("\n  gpu:\n")
    (limit,) = re.findall(r"^limit=(\d+)m$", RUN, re.MULTILINE)
    whole, nightly = whole.split("\n  nightly:\n")
    (minutes,) = re.findall(r"timeout-minutes: (\d+)", whole)
    (steps,) = re.findall(r"step: \[(.*)\]", whole)
    (all_steps,) = re.findall(r'^steps="(.*)"$', RUN, re.MULTILINE)
    assert ["system", *steps.split(", ")] == all_steps.split() and "- run: make deps" in whole
    assert '- run: .ci/run --only "$STEP"' in whole and int(minutes) > int(limit)
    assert "schedule:" in text and nightly.rstrip().endswith("- run: make nightly")
    assert PROJECT["project"]["requires-python"] == ">=3.11" and "            3.11\n" in whole
    assert 'JAXDALI_REQUIRE_GPU: "1"' in gpu and "pytest -m gpu" in gpu
    libraries = re.search(r"pip install --constraint (\S+) (.*)\n", gpu)
    assert libraries is not None and (ROOT / libraries[1]).is_file()
    wanted = {name_of(entry) for entry in PROJECT["project"]["optional-dependencies"]["cuda13"]}
    assert {name_of(word.strip('"')) for word in libraries[2].split()} == wanted


@pytest.mark.parametrize(
    ("lacking", "said"),
    [
        ([], r"no C\+\+ compiler was found.* apt-get install build-essential, or, in a clone, run: make deps"),
        (["-DPython_INCLUDE_DIR=/nowhere"], r"Python\.h was not found.* apt-get install python3-dev, or, .*make deps"),
        (
            ["-DCMAKE_DISABLE_FIND_PACKAGE_JPEG=ON"],
            r"jpeglib\.h was not found.* apt-get install libjpeg-dev, or, .*make deps",
        ),
        (["-DLIBDEFLATE_INCLUDE_DIR="], r"libdeflate\.h or its .* apt-get install libdeflate-dev, or, .*make deps"),
    ],
    ids=["compiler", "Python.h", "jpeglib.h", "libdeflate.h"],
)
def test_a_build_from_source_names_what_is_missing(tmp_path, lacking, said):
    done = subprocess.run([CI / "build_tools", sys.executable], capture_output=True, text=True, check=True)
    tools = pathlib.Path(done.stdout.strip())
    nothing = {**os.environ, "PATH": str(tmp_path)} if not lacking else os.environ
    environment = {**nothing, "PYTHONPATH": str(tools)}
    for name in ("CXX", "CXXFLAGS", "CUDACXX"):
        environment.pop(name, None)
    command = [tools / "cmake/data/bin/cmake", "-G", "Unix Makefiles", f"-DCMAKE_MAKE_PROGRAM={shutil.which('make')}"]
    command += [f"-DPython_EXECUTABLE={sys.executable}", *lacking, "-S", ROOT, "-B", tmp_path / "build"]
    configured = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert configured.returncode != 0 and re.search(said, " ".join(configured.stderr.split())), configured.stderr
