"""The suite's own rules: GPU tests need a GPU, oracle tests need DALI, thorough ones an option, and skips must be listed."""

from __future__ import annotations

import fnmatch
import gc
import importlib.util
import os
import pathlib
from collections.abc import Callable

import hypothesis
import pytest
from smoke import is_smoke

# Eight CPU devices, so that shardings are tested. JAX reads this when its first backend starts.
_FLAG = "--xla_force_host_platform_device_count=8"
os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {_FLAG}".strip()

# No deadlines, because how long an example takes depends on the load of the machine.
hypothesis.settings.register_profile("suite", hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("suite")

ALLOWED_SKIPS = pathlib.Path(__file__).with_name("allowed_skips.txt")

# (node id, reason) of the skips in this run.
_skipped: list[tuple[str, str]] = []


def gpus() -> int:
    """Counts the GPUs that the NVIDIA driver offers this process, without jax or CUDA."""
    if not os.path.exists("/dev/nvidiactl"):
        return 0
    found = sum(path.name[6:].isdigit() for path in pathlib.Path("/dev").glob("nvidia*"))
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    return found if visible is None else min(found, len([name for name in visible.split(",") if name.strip()]))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Returns the number of processes for `-n auto`: one per core, at most four (2 GiB each); 0 runs in this process.

    GPU tests do not run in parallel, because JAX takes most of a GPU's memory for itself.
    """
    cores = len(os.sched_getaffinity(0))
    return 0 if gpus() or cores == 1 else min(cores, 4)


def has_dali() -> bool:
    try:
        return importlib.util.find_spec("nvidia.dali") is not None
    except ModuleNotFoundError:  # no `nvidia` package at all
        return False


def pytest_ignore_collect(collection_path: pathlib.Path, config: pytest.Config) -> bool | None:
    """With `-m smoke`, does not import the modules of other tests: that takes longer than some smoke tests."""
    is_other = collection_path.name.startswith("test_") and collection_path.is_file() and not is_smoke(collection_path)
    return True if is_other and config.option.markexpr == "smoke" else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="also runs what is marked `thorough`: make test-all")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if is_smoke(item.path):
            item.add_marker("smoke")
    if not config.option.thorough:
        left_out = [item for item in items if item.get_closest_marker("thorough") is not None]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item.get_closest_marker("thorough") is None]


@pytest.fixture
def sampled(request: pytest.FixtureRequest) -> Callable[[int, int], range]:
    """Returns `(count, about)` -> the numbers 1 to `count`: all of them with --thorough, and else about so many."""

    def numbers(count: int, about: int) -> range:
        return range(1, count + 1, 1 if request.config.option.thorough else max(count // about, 1))

    return numbers


def pytest_runtest_setup(item: pytest.Item) -> None:
    _want_gpus(item)
    if item.get_closest_marker("dali") is not None and not has_dali():
        if os.environ.get("JAXDALI_REQUIRE_DALI") == "1":
            pytest.fail("JAXDALI_REQUIRE_DALI=1, but there is no nvidia.dali", pytrace=False)
        pytest.skip("needs NVIDIA DALI: make oracles")


def _want_gpus(item: pytest.Item) -> None:
    marker = item.get_closest_marker("gpu")
    wanted = 0 if marker is None else (marker.args or (1,))[0]
    if gpus() >= wanted:
        return
    needs = "an NVIDIA GPU" if wanted == 1 else f"{wanted} NVIDIA GPUs"
    if int(os.environ.get("JAXDALI_REQUIRE_GPU", 0)) >= wanted:
        found = "there is no NVIDIA GPU" if gpus() == 0 else f"there are {gpus()}"
        pytest.fail(f"JAXDALI_REQUIRE_GPU={os.environ['JAXDALI_REQUIRE_GPU']}, but {found}", pytrace=False)
    pytest.skip(f"needs {needs}")


@pytest.fixture(autouse=True, scope="module")
def _what_lives_on() -> None:
    """Freezes what earlier modules left alive: JAX keeps hundreds of thousands of objects for compiled programs.

    Garbage collections, which some tests run hundreds of times, then only look at the current module's objects.
    """
    gc.collect()
    gc.freeze()


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
    """Returns the skips that no line `node id -- reason` of allowed_skips.txt covers (shell patterns)."""
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
    # Finds unclosed resources, which pytest reports at the very end. Pytest then collects five times, which would take
    # long with everything that JAX keeps during the suite, so all of it is frozen again.
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    if exitstatus == pytest.ExitCode.OK and _unlisted():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    unlisted = _unlisted()
    if unlisted:
        terminalreporter.section(f"skipped, but not on {ALLOWED_SKIPS.name}", red=True)
        for nodeid, reason in unlisted:
            terminalreporter.line(f"{nodeid} -- {reason}")
