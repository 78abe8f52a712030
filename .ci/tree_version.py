"""The version of this tree, which scikit-build-core asks for when it builds (pyproject.toml, `tool.scikit-build.metadata`).

A commit with the tag v0.1.0 is 0.1.0, and the fifth one after it 0.1.1.dev5+g and its hash. As long as nothing is tagged,
the release that is coming is the newest one of CHANGELOG.md. A source distribution says its version in PKG-INFO, and an
archive of git in .ci/archived.txt. setuptools-scm does the same, but would have to be there wherever jaxdali is built
without a network.
"""

from __future__ import annotations

import pathlib
import re
import subprocess

__all__ = ["dynamic_metadata", "version_of"]

_TAGS = "v[0-9]*.[0-9]*.[0-9]*"
_TAG = re.compile(r"v(?P<release>\d+\.\d+\.)(?P<last>\d+)(?:rc(?P<candidate>\d+))?")
_DESCRIBED = re.compile(rf"{_TAG.pattern}(?:-(?P<commits>\d+)-g(?P<hash>[0-9a-f]+))?(?P<changed>-dirty)?")


def dynamic_metadata(field: str, settings: object = None) -> str:
    """Returns the version of the tree that this file is in."""
    assert field == "version" and not settings, (field, settings)
    return version_of(pathlib.Path(__file__).resolve().parent.parent)


def version_of(tree: pathlib.Path) -> str:
    """Returns the version of a tree, however it came here.

    Raises:
        ValueError: a tag of its that looks like a version is none, or there is nothing that says which release is coming.
    """
    if (distribution := tree / "PKG-INFO").is_file():
        return re.findall(r"^Version: (\S+)$", distribution.read_text(), re.MULTILINE)[0]
    if pathlib.Path(_git(tree, "rev-parse", "--show-toplevel") or "/nowhere").resolve() == tree.resolve():
        described = _git(tree, "describe", "--tags", "--long", "--dirty", "--abbrev=9", f"--match={_TAGS}")
        return _of_tag(described) if described else _of_changelog(tree, *_of_head(tree))
    # git writes both into an archive; elsewhere the file is as it was committed.
    described, _, commit = (tree / ".ci" / "archived.txt").read_text().strip().rpartition(" ")
    if commit.startswith("$Format"):
        return _of_changelog(tree, "0", "unknown")
    return _of_tag(described) if described else _of_changelog(tree, "0", f"g{commit}")


def _of_tag(described: str) -> str:
    found = _DESCRIBED.fullmatch(described)
    if found is None:
        raise ValueError(
            f"{described!r} is no version: a tag is v, three numbers and dots, such as v0.1.0 or v0.1.0rc1"
        )
    commits, changed = found["commits"] or "0", found["changed"]
    candidate = found["candidate"]
    if commits == "0" and not changed:
        return f"{found['release']}{found['last']}" + (f"rc{candidate}" if candidate else "")
    following = f"{found['last']}rc{int(candidate) + 1}" if candidate else str(int(found["last"]) + 1)
    return f"{found['release']}{following}.dev{commits}+g{found['hash']}{'.changed' if changed else ''}"


def _of_head(tree: pathlib.Path) -> tuple[str, str]:
    changed = ".changed" if _git(tree, "status", "--porcelain", "--untracked-files=no") else ""
    commit = _git(tree, "rev-parse", "--short=9", "HEAD")
    return _git(tree, "rev-list", "--count", "HEAD") or "0", f"g{commit}{changed}" if commit else "unknown"


def _of_changelog(tree: pathlib.Path, commits: str, local: str) -> str:
    releases = re.findall(r"^## (\d+\.\d+\.\d+)", (tree / "CHANGELOG.md").read_text(), re.MULTILINE)
    if not releases:
        raise ValueError("CHANGELOG.md has no heading `## 0.1.0` or the like, and git says no version")
    return f"{releases[0]}.dev{commits}+{local}"


def _git(tree: pathlib.Path, *arguments: str) -> str:
    """Returns what git prints; nothing if there is no git, or no such thing."""
    try:
        # Whoever builds a tree trusts it, whoever owns it: an installer may be another user.
        command = ["git", "-c", f"safe.directory={tree.resolve()}", *arguments]
        done = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
