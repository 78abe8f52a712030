"""The suite's own rules: a GPU test needs a GPU, and what is skipped must be written down."""

from __future__ import annotations

import fnmatch
import os
import pathlib

import pytest

# Eight CPU devices, so that shardings mean something. JAX reads this when its first backend starts.
_FLAG = "--xla_force_host_platform_device_count=8"
os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {_FLAG}".strip()

ALLOWED_SKIPS = pathlib.Path(__file__).with_name("allowed_skips.txt")

# (node id, reason) of what this run skipped.
_skipped: list[tuple[str, str]] = []


def has_gpu() -> bool:
    """True where the NVIDIA driver is loaded; asks neither jax nor CUDA."""
    return os.path.exists("/dev/nvidiactl")


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("gpu") is None or has_gpu():
        return
    if os.environ.get("JAXDALI_REQUIRE_GPU") == "1":
        pytest.fail("JAXDALI_REQUIRE_GPU=1, but there is no NVIDIA GPU", pytrace=False)
    pytest.skip("needs an NVIDIA GPU")


def _record(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped:
        # A skip carries (file, line, "Skipped: reason"); an expected failure has `wasxfail`.
        long = report.longrepr
        reason = long[2] if isinstance(long, tuple) else getattr(report, "wasxfail", str(long))
        _skipped.append((report.nodeid, reason.removeprefix("Skipped: ")))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _record(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _record(report)


def _unlisted() -> list[tuple[str, str]]:
    """Skips that no line `node id -- reason` of allowed_skips.txt covers (shell patterns)."""
    lines = [line for line in ALLOWED_SKIPS.read_text().splitlines() if line.strip()]
    allowed = [line.split(" -- ") for line in lines if not line.startswith("#")]
    return [
        (nodeid, reason)
        for nodeid, reason in _skipped
        if not any(
            fnmatch.fnmatchcase(nodeid, node.strip()) and fnmatch.fnmatchcase(reason, why.strip())
            for node, why in allowed
        )
    ]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if exitstatus == pytest.ExitCode.OK and _unlisted():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    unlisted = _unlisted()
    if unlisted:
        terminalreporter.section(f"skipped, but not on {ALLOWED_SKIPS.name}", red=True)
        for nodeid, reason in unlisted:
            terminalreporter.line(f"{nodeid} -- {reason}")
