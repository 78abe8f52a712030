"""A plugin of pytest, copied beside the mutated package: runs chosen tests only, and writes what came of each.

GUARD_CHOSEN is a file with node ids, one a line (without it all run), GUARD_REPORTS gets a line of JSON for each start
and report of a test, and GUARD_LISTED those that were collected. In processes of xdist only the first process writes.
"""

from __future__ import annotations

import json
import os
import pathlib

import pytest

_reports = os.environ.pop("GUARD_REPORTS", None)
_listed = os.environ.pop("GUARD_LISTED", None)


def pytest_configure(config: pytest.Config) -> None:
    global _reports, _listed
    if hasattr(config, "workerinput"):
        _reports = _listed = None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "GUARD_CHOSEN" not in os.environ:
        return
    chosen = {*pathlib.Path(os.environ["GUARD_CHOSEN"]).read_text().splitlines()}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in chosen])
    items[:] = [item for item in items if item.nodeid in chosen]


def pytest_collection_finish(session: pytest.Session) -> None:
    if _listed is not None:
        pathlib.Path(_listed).write_text("".join(f"{item.nodeid}\n" for item in session.items))


def _write(**values: object) -> None:
    if _reports is not None:
        with open(_reports, "a") as file:
            file.write(json.dumps(values) + "\n")


def pytest_runtest_logstart(nodeid: str) -> None:
    _write(test=nodeid, when="start", outcome="started", seconds=0)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _write(test=report.nodeid, when=report.when, outcome=report.outcome, seconds=report.duration)
