"""If only smoke tests run, no folder is forgotten; a small suite tests the mark."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest
from smoke import ALL, HERE, LEFT_OUT, SMOKE, is_smoke

TESTS = sorted(HERE.rglob("test_*.py"))
FOLDERS = {path.parent.relative_to(HERE).as_posix() for path in TESTS}


def test_every_folder_has_smoke_tests_or_a_reason():
    reasons = {entry for entry in LEFT_OUT if not entry.endswith(".py")}
    assert {*SMOKE} | reasons == FOLDERS
    assert not {*SMOKE} & reasons
    for folder in SMOKE:
        assert any(is_smoke(path) for path in (HERE / folder).glob("test_*.py")), f"{folder} has no smoke test"


@pytest.mark.parametrize("folder", [folder for folder, names in SMOKE.items() if names != ALL])
def test_every_smoke_test_is_there(folder):
    missing = [name for name in SMOKE[folder] if not (HERE / folder / f"test_{name}.py").is_file()]
    assert missing == []
    assert list(SMOKE[folder]) == sorted(SMOKE[folder])


def test_what_is_left_out_is_there_and_would_not_be_otherwise():
    for entry, reason in LEFT_OUT.items():
        assert len(reason.split()) > 3, f"{entry} wants a reason"
        if entry.endswith(".py"):
            path = HERE / entry
            folder = entry.rpartition("/")[0]
            assert path in TESTS, f"{entry} is no more"
            assert SMOKE.get(folder) == ALL, f"{entry} is left out already"


def test_the_mark_is_given_and_other_modules_are_not_imported(tmp_path):
    shutil.copy(HERE / "conftest.py", tmp_path)
    text = (HERE / "smoke.py").read_text()
    (tmp_path / "smoke.py").write_text(
        text + "\nSMOKE = {'.': ('it',), 'all': ALL}\nLEFT_OUT = {'all/test_b.py': ''}\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  gpu\n  dali\n  smoke\n")
    (tmp_path / "allowed_skips.txt").touch()
    (tmp_path / "all").mkdir()
    for name in ("test_it.py", "test_other.py", "all/test_a.py", "all/test_b.py"):
        (tmp_path / name).write_text("def test(): pass\n")

    def run(*arguments):
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", *arguments, tmp_path]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        return {line.partition("::")[0] for line in done.stdout.splitlines() if " PASSED" in line}

    smoke = {"all/test_a.py", "test_it.py"}
    others = {"all/test_b.py", "test_other.py"}
    assert run("-m", "not smoke") == others
    assert run() == smoke | others
    for name in others:
        (tmp_path / name).write_text("raise AssertionError('it is imported')\n")
    assert run("-m", "smoke") == smoke
