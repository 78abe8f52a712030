"""Runs tests of a copy of the project, with a limit of time, and says what came of each."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping

from guard_tree import ROOT, Tree

# Texts and formats are compared there, or the project's own tools: no fault of the product is found that way.
LEFT_OUT = (
    *("tests/test_house.py", "tests/test_native_house.py", "tests/test_docstrings.py", "tests/test_ci.py"),
    *("tests/test_smoke.py", "tests/test_skips.py", "tests/contract/test_documents.py", "tests/guard", "tests/gpu"),
)
_NO_TESTS = 5
FLAG = "--thorough"


@dataclasses.dataclass(frozen=True)
class Outcome:
    """Of a run: seconds by test, the red ones in their order, and whether the process itself failed, and how."""

    seconds: Mapping[str, float]
    red: list[str]
    end: str | None


def _environment(tree: Tree, mutation: int, reached: pathlib.Path | None) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")}
    kept |= {"JAX_DISABLE_MOST_OPTIMIZATIONS": "1", "JAXDALI_MUTATION": str(mutation)}
    return kept | ({} if reached is None else {"JAXDALI_REACHED": str(reached)})


def read_reports(reports: pathlib.Path) -> tuple[dict[str, float], list[str], str | None]:
    """Returns seconds by test, the red tests, and the last one that was started but did not end."""
    seconds: dict[str, float] = {}
    red: list[str] = []
    unfinished: str | None = None
    for line in reports.read_text().splitlines():
        one = json.loads(line)
        unfinished = None if one["when"] == "teardown" else one["test"]
        seconds[one["test"]] = seconds.get(one["test"], 0.0) + one["seconds"]
        if one["outcome"] == "failed" and one["test"] not in red:
            red.append(one["test"])
    return seconds, red, unfinished


def run(
    tree: Tree,
    files: Iterable[str],
    arguments: Iterable[str] = (),
    *,
    chosen: Iterable[str] | None = None,
    mutation: int = 0,
    reached: pathlib.Path | None = None,
    limit_s: float | None = None,
) -> Outcome:
    """Runs tests in one session of pytest.

    Args:
        tree: where.
        files: test files or folders.
        arguments: further ones for pytest.
        chosen: node ids; only these run. All, if not given.
        mutation: the number of the mutation that is in effect.
        reached: a file for the tests that reach each mutation.
        limit_s: the session and all of its processes are killed then.
    """
    with tempfile.TemporaryDirectory(prefix="guard-", ignore_cleanup_errors=True) as name:
        notes = pathlib.Path(name)
        reports = notes / "reports"
        reports.touch()
        environment = _environment(tree, mutation, reached) | {"GUARD_REPORTS": str(reports)}
        environment |= {"HYPOTHESIS_STORAGE_DIRECTORY": str(notes / "hypothesis"), "TMPDIR": name}
        if chosen is not None:
            (notes / "chosen").write_text("\n".join(chosen))
            environment["GUARD_CHOSEN"] = str(notes / "chosen")
        command = [tree.python, "-P", "-m", "pytest", "-q", "-p", "guard_reports", "-p", "no:cacheprovider"]
        with open(tree.folder / f"log-{mutation}", "w") as log:
            process = subprocess.Popen(
                ["nice", "-n", "5", *command, *arguments, *files],
                cwd=tree.suite,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
            try:
                code: int | None = process.wait(limit_s)
            except subprocess.TimeoutExpired:
                code = None
            finally:  # what the session started and left must not run into the next one
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()
        seconds, red, unfinished = read_reports(reports)
        end = "too long" if code is None else None if code in (0, 1, _NO_TESTS) else f"exit code {code}"
        if end is not None and not red:
            red = [unfinished or f"{next(iter(files), '')} (as a whole)"]
        return Outcome(seconds, red, end)


def has_flag(suite: pathlib.Path) -> bool:
    """Whether the suite of a folder has tests that run only with --thorough."""
    return FLAG in (suite / "tests" / "conftest.py").read_text()


def collect(python: pathlib.Path | str, suite: pathlib.Path, *arguments: str) -> set[str]:
    """Returns the node ids of the tests that a suite would run."""
    with tempfile.TemporaryDirectory(prefix="guard-", ignore_cleanup_errors=True) as name:
        listed = pathlib.Path(name) / "listed"
        paths = os.pathsep.join((str(pathlib.Path(__file__).parent), os.environ.get("PYTHONPATH", "")))
        environment = {**os.environ, "GUARD_LISTED": str(listed), "PYTHONPATH": paths.strip(os.pathsep)}
        command = [python, "-P", "-m", "pytest", "--collect-only", "-q", "-n", "0", "-p", "guard_reports", *arguments]
        subprocess.run(command, cwd=suite, env=environment, check=True, stdout=subprocess.DEVNULL)
        return {*listed.read_text().splitlines()}


@functools.cache
def gate() -> frozenset[str]:
    """Returns the tests that the checkout runs by default, as it is now."""
    return frozenset(collect(sys.executable, ROOT))


@functools.cache
def thorough() -> frozenset[str]:
    """Returns the tests of the checkout that are not in its gate."""
    return frozenset(collect(sys.executable, ROOT, FLAG) - gate()) if has_flag(ROOT) else frozenset()
