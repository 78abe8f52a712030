"""The version of a tree follows from its tags and commits, wherever the tree comes from."""

import os
import re
import shutil
import subprocess

import pytest
import tree_version
from house_rules import ROOT

COMING = "## 0.4.0 (unreleased)\n"


def git(tree, *arguments):
    identity = {f"GIT_{who}_{what}": "x@y" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {**os.environ, **identity, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    done = subprocess.run(["git", *arguments], cwd=tree, env=environment, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(tree):
    git(tree, "commit", "--quiet", "--allow-empty", "-m", "one more")
    return f"g{git(tree, 'rev-parse', '--short=9', 'HEAD')}"


@pytest.fixture
def tree(tmp_path):
    """A repository with one commit."""
    tree = tmp_path / "tree"
    (tree / ".ci").mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "archived.txt", tree / ".ci")
    shutil.copy(ROOT / ".gitattributes", tree)
    (tree / "CHANGELOG.md").write_text(f"# Changelog\n\n{COMING}\n## 0.3.0 (2026-01-01)\n")
    git(tmp_path, "init", "--quiet", "tree")
    git(tree, "add", "--all")
    commit(tree)
    return tree


def test_it_is_that_of_the_changelog_until_something_is_tagged(tree):
    made = commit(tree)
    assert tree_version.version_of(tree) == f"0.4.0.dev2+{made}"
    (tree / "new.txt").write_text("not in git, such as what was built")
    assert tree_version.version_of(tree) == f"0.4.0.dev2+{made}"
    (tree / "CHANGELOG.md").write_text(f"{COMING}changed\n")
    assert tree_version.version_of(tree) == f"0.4.0.dev2+{made}.changed"
    (tree / "CHANGELOG.md").write_text("## Unreleased\n")
    with pytest.raises(ValueError, match=r"no heading `## 0\.1\.0`"):
        tree_version.version_of(tree)


@pytest.mark.parametrize(
    ("tag", "there", "later"),
    [
        ("v0.1.0", "0.1.0", "0.1.1.dev"),
        ("v1.2.9", "1.2.9", "1.2.10.dev"),
        ("v1.2.3rc1", "1.2.3rc1", "1.2.3rc2.dev"),
    ],
)
def test_a_tag_is_a_release_and_what_follows_it_is_between_releases(tree, tag, there, later):
    git(tree, "tag", "v0.0.9")
    commit(tree)
    git(tree, "tag", tag)
    git(tree, "tag", "reviewed")
    assert tree_version.version_of(tree) == there
    tagged = f"g{git(tree, 'rev-parse', '--short=9', 'HEAD')}"
    (tree / "CHANGELOG.md").write_text("changed\n")
    assert tree_version.version_of(tree) == f"{later}0+{tagged}.changed", "which nobody released"
    git(tree, "checkout", "--quiet", ".")
    commit(tree)
    made = commit(tree)
    assert tree_version.version_of(tree) == f"{later}2+{made}"


def test_a_tag_that_only_looks_like_a_version_is_an_error(tree):
    git(tree, "tag", "v1.2.3.4")
    with pytest.raises(ValueError, match=r"'v1\.2\.3\.4-0-g.*' is no version"):
        tree_version.version_of(tree)


def test_a_tree_that_git_does_not_know(tree, tmp_path, monkeypatch):
    copy = tmp_path / "copy"
    shutil.copytree(tree, copy, ignore=shutil.ignore_patterns(".git"))
    assert tree_version.version_of(copy) == "0.4.0.dev0+unknown"
    # In a repository of somebody else's, whose tags are none of ours.
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "copy")
    commit(tmp_path)
    git(tmp_path, "tag", "v9.9.9")
    assert tree_version.version_of(copy) == "0.4.0.dev0+unknown"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert tree_version.version_of(tree) == "0.4.0.dev0+unknown", "without git"


def test_an_archive_says_which_commit_it_is_of(tree, tmp_path):
    def archived():
        shutil.rmtree(tmp_path / "archive", ignore_errors=True)
        (tmp_path / "archive").mkdir()
        git(tree, "archive", "--output", tmp_path / "archive.tar", "HEAD")
        shutil.unpack_archive(tmp_path / "archive.tar", tmp_path / "archive")
        return tree_version.version_of(tmp_path / "archive")

    assert re.fullmatch(r"0\.4\.0\.dev0\+g[0-9a-f]{7,}", archived())
    git(tree, "tag", "-m", "annotated", "v0.4.0")
    assert archived() == "0.4.0"
    commit(tree)
    assert re.fullmatch(r"0\.4\.1\.dev1\+g[0-9a-f]{7,}", archived())


def test_a_source_distribution_says_its_version_in_any_repository(tree):
    git(tree, "tag", "v0.4.0")
    (tree / "PKG-INFO").write_text(
        "Metadata-Version: 2.4\nName: jaxdali\nVersion: 0.2.1.dev5+g0123456\n\nVersion: no\n"
    )
    assert tree_version.version_of(tree) == "0.2.1.dev5+g0123456"


def test_this_tree_has_one():
    assert re.fullmatch(r"\d+\.\d+\.\d+(rc\d+)?(\.dev\d+\+[a-z0-9.]+)?", tree_version.dynamic_metadata("version"))


@pytest.mark.parametrize(
    ("tag", "heading", "files", "words"),
    [
        ("v0.4.0", "## 0.4.0 (2026-12-01)", ["jaxdali-0.4.0.tar.gz", "jaxdali-0.4.0-cp311-cp311-linux.whl"], None),
        ("v0.4.0rc1", "## 0.4.0 (unreleased)", ["jaxdali-0.4.0rc1.tar.gz"], None),
        ("v0.4.0", "## 0.4.0 (unreleased)", None, "but CHANGELOG.md begins with '## 0.4.0 (unreleased)'"),
        ("v0.4.1", "## 0.4.0 (2026-12-01)", None, "but CHANGELOG.md begins with '## 0.4.0 (2026-12-01)'"),
        ("v0.4.0", "## 0.4.0 (2026-12-01)", ["jaxdali-0.4.0-cp311-cp311-linux.whl"], "no jaxdali-0.4.0.tar.gz"),
        (
            "v0.4.0",
            "## 0.4.0 (2026-12-01)",
            ["jaxdali-0.4.0.tar.gz", "jaxdali-0.4.0.dev3+g1-cp311-cp311-linux.whl"],
            "g1-cp311-cp311-linux.whl is not of version 0.4.0",
        ),
    ],
)
def test_what_is_released_is_what_the_tag_says(tree, tag, heading, files, words):
    for name in ("release_check", "tree_version.py"):
        shutil.copy(ROOT / ".ci" / name, tree / ".ci")
    (tree / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n\n## 0.3.0 (2026-01-01)\n")
    git(tree, "add", "--all")
    commit(tree)
    git(tree, "tag", tag)
    (tree / "dist").mkdir()
    for name in files or ():
        (tree / "dist" / name).touch()

    def check(*arguments):
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [tree / ".ci" / "release_check", *arguments], env=environment, capture_output=True, text=True
        )

    done = check(tag, *([] if files is None else ["dist"]))
    assert done.returncode == (words is not None) and (words or "") in done.stderr, done.stderr
    commit(tree)
    assert "but the tree's version is 0.4." in check(tag).stderr
