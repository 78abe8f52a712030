"""A run with a skip that is not listed fails; small runs test this rule."""

import pathlib
import shutil
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent


def run_suite(folder: pathlib.Path, test: str, allowed: str = "", *arguments: str, **environ: str):
    """Runs pytest on one test file in `folder`, under this suite's conftest."""
    for name in ("conftest.py", "smoke.py"):
        shutil.copy(HERE / name, folder)
    (folder / "allowed_skips.txt").write_text(allowed)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n  gpu\n  dali\n  smoke\n")
    (folder / "test_it.py").write_text("import pytest\n" + test)
    (folder / "test_other.py").write_text("def test_that_runs(): pass\n")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments, folder],
        capture_output=True,
        text=True,
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", **environ},
    )


SKIPPING = "def test_a(): pytest.skip('no camera')\ndef test_b(): pass\n"


@pytest.mark.parametrize(
    "test",
    [
        SKIPPING,
        "pytest.skip('no camera', allow_module_level=True)\n",
        "@pytest.mark.xfail(reason='no camera')\ndef test_a(): assert False\n",
    ],
    ids=["test", "module", "xfail"],
)
def test_an_unlisted_skip_fails_the_run_and_is_named(tmp_path, test):
    run = run_suite(tmp_path, test)
    assert run.returncode == 1
    assert "not on allowed_skips.txt" in run.stdout
    assert "test_it.py" in run.stdout and "-- no camera" in run.stdout


@pytest.mark.parametrize(
    ("allowed", "returncode"),
    [
        ("# comment\n\ntest_it.py::test_a -- no camera\n", 0),
        ("* -- no *\n", 0),
        ("test_it.py::test_b -- no camera\n", 1),
        ("test_it.py::test_a -- no microphone\n", 1),
    ],
)
def test_a_line_allows_what_it_names(tmp_path, allowed, returncode):
    assert run_suite(tmp_path, SKIPPING, allowed).returncode == returncode


@pytest.mark.parametrize(("allowed", "returncode"), [("* -- no camera\n", 0), ("", 1)])
def test_processes_that_share_the_tests_report_their_skips(tmp_path, allowed, returncode):
    module = "pytest.skip('no camera', allow_module_level=True)\n"
    (tmp_path / "test_module.py").write_text("import pytest\n" + module)
    run = run_suite(tmp_path, SKIPPING, allowed, "-n", "2")
    assert run.returncode == returncode and "2 skipped" in run.stdout
    assert [f"test_{name} -- no camera" in run.stdout for name in ("it.py::test_a", "module.py")] == [not allowed] * 2


def test_a_failure_stays_a_failure(tmp_path):
    assert run_suite(tmp_path, SKIPPING + "def test_c(): assert False\n").returncode == 1


@pytest.mark.skipif(pathlib.Path("/dev/nvidiactl").exists(), reason="tests what a GPU prevents")
def test_gpu_tests_are_skipped_without_a_gpu_and_fail_where_one_is_required(tmp_path):
    gpu_test = "@pytest.mark.gpu\ndef test_a(): raise AssertionError('ran')\n"
    allowed = "* -- needs an NVIDIA GPU\n"
    run = run_suite(tmp_path, gpu_test, allowed)
    assert run.returncode == 0 and "1 skipped" in run.stdout
    run = run_suite(tmp_path, gpu_test, allowed, JAXDALI_REQUIRE_GPU="1")
    assert run.returncode == 1 and "there is no NVIDIA GPU" in run.stdout


def test_dali_tests_are_skipped_without_dali_and_fail_where_it_is_required(tmp_path):
    test = (
        "import sys\nsys.modules['nvidia.dali'] = None\n@pytest.mark.dali\ndef test_a(): raise AssertionError('ran')\n"
    )
    allowed = "* -- needs NVIDIA DALI: make oracles\n"
    run = run_suite(tmp_path, test, allowed)
    assert run.returncode == 0 and "1 skipped" in run.stdout
    run = run_suite(tmp_path, test, allowed, JAXDALI_REQUIRE_DALI="1")
    assert run.returncode == 1 and "there is no nvidia.dali" in run.stdout
