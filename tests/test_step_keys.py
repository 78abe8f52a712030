"""Checks when a step of .ci/run counts as one that passed before: only if nothing changed that it uses."""

from __future__ import annotations

import datetime
import pathlib
import subprocess

import pytest
import step_keys
from house_rules import ROOT

FACTS = {"c++": "c++ 12.2", "packages": "jax==1\nnumpy==2\n"}


@pytest.fixture
def tree(tmp_path: pathlib.Path) -> pathlib.Path:
    """A repository with two files for each input of each step: one tracked, one not."""
    for name in {name for names in step_keys.INPUTS.values() for name in names}:
        real = ROOT / name
        assert real.exists(), f"{name} is an input, but not there"
        paths = [tmp_path / name / "a", tmp_path / name / "b"] if real.is_dir() else [tmp_path / name]
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name)
    (tmp_path / ".gitignore").write_text("*.so\n")
    git = ["git", "-C", tmp_path]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "*a", "*.toml", "Makefile"], check=True)
    return tmp_path


def key(step: str, tree: pathlib.Path, **changed: str) -> str:
    return step_keys.key_of(step, tree, {**FACTS, **changed})


@pytest.mark.parametrize("step", step_keys.INPUTS)
def test_a_byte_of_any_input_is_another_key(step, tree):
    before = key(step, tree)
    assert key(step, tree) == before
    files = step_keys.files_of(step, tree)
    assert len(files) >= len(step_keys.INPUTS[step])
    for path in files:
        content = path.read_bytes()
        path.write_bytes(content[:-1] + b"!")
        assert key(step, tree) != before, path
        path.write_bytes(content)
    assert key(step, tree) == before, "contents count, not when they were written"


def test_a_file_that_appears_vanishes_or_moves_is_another_key(tree):
    keys = [key("cuda", tree)]
    (tree / "ffi" / "new").write_text("")
    keys.append(key("cuda", tree))
    (tree / "ffi" / "new").rename(tree / "ffi" / "other")
    keys.append(key("cuda", tree))
    (tree / "ffi" / "other").chmod(0o755)
    keys.append(key("cuda", tree))
    (tree / "ffi" / "a").unlink()
    keys.append(key("cuda", tree))
    assert len({*keys}) == len(keys)


def test_what_a_step_does_not_read_does_not_matter(tree):
    before = {step: key(step, tree) for step in step_keys.INPUTS}
    assert len({*before.values()}) == len(before), "no step passes for another"
    (tree / "ffi" / "module.so").write_text("ignored by git")
    (tree / "README.md").write_text("read by nobody")
    assert {step: key(step, tree) for step in step_keys.INPUTS} == before
    (tree / "jaxdali" / "a").write_text("Python")
    assert {step for step in before if key(step, tree) != before[step]} == {"oracles"}


def test_another_compiler_or_package_is_another_key(tree):
    keys = {
        key("cuda", tree),
        key("cuda", tree, packages="jax==1\nnumpy==2.1\n"),
        key("cuda", tree, **{"c++": "c++ 13"}),
    }
    assert len(keys) == 3


def test_the_machine_is_described():
    facts = step_keys.machine()
    assert {"python", "platform", "cpu", "c++", "clang++", "libjpeg", "libdeflate", "libwebp"} == {*facts}
    assert all(facts[name].strip() for name in ("python", "platform", "cpu", "c++"))
    for name in ("libjpeg", "libdeflate", "libwebp"):
        version, _, digest = facts[name].partition(" ")
        assert version.strip('"')[0].isdigit() and len(digest) == 64
    assert facts == step_keys.machine()


def test_a_key_is_good_for_some_days(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    then = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC)
    days = datetime.timedelta(step_keys.DAYS)
    assert step_keys.when_passed("cuda", "k", then) is None
    step_keys.keep("cuda", "k", then)
    assert step_keys.when_passed("cuda", "k", then + days / 2) == "2026-01-01 12:00+00:00"
    assert step_keys.when_passed("cuda", "k", then + days) is None
    assert step_keys.when_passed("cuda", "k", then - days) is None, "a date in the future says nothing"
    assert step_keys.when_passed("oracles", "k", then) is None
    (path,) = step_keys.kept().iterdir()
    path.write_text("torn")
    assert step_keys.when_passed("cuda", "k", then) is None
