"""What fresh workers inherit from their parent process, and what they do not need."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import surrounding_programs
from processes import run_program
from tiers import start_methods

FRESH = pytest.mark.parametrize("start_method", ["spawn", "forkserver"])

FLAGS = """
import sys
import numpy as np
import jaxdali as dali
from jaxdali import fn

names = ["isolated", "ignore_environment", "no_user_site", "dont_write_bytecode", "dev_mode", "bytes_warning", "utf8_mode"]
names += ["optimize", "int_max_str_digits"]

def source(info):
    import sys
    return np.array([int(getattr(sys.flags, name)) for name in names] + [len(sys.warnoptions)])

pipe = dali.Pipeline(batch_size=1, py_num_workers=1, py_start_method=sys.argv[1])
with pipe:
    pipe.set_outputs(fn.external_source(source, parallel=True, batch=False))
with pipe:
    seen = pipe.run()[0].as_array()[0].tolist()
    assert seen == source(None).tolist(), (seen, source(None).tolist())
print("the same", seen[0])
"""


@FRESH
@pytest.mark.parametrize(
    "flags",
    [
        ["-I", "-B", "-X", "dev", "-W", "ignore::ImportWarning"],
        ["-E", "-s", "-b", "-X", "int_max_str_digits=5000"],
        ["-OO", "-X", "utf8=1", "-X", "of_our_own"],
    ],
    ids=" ".join,
)
def test_fresh_workers_have_the_flags_of_their_parents_interpreter(start_method, flags, tmp_path):
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil" / "sitecustomize.py").write_text(
        f"import os\nwith open({str(tmp_path / 'mark')!r}, 'a') as file:\n    file.write('x')\n"
    )
    script = tmp_path / "script.py"
    script.write_text(FLAGS)
    # A parent that ignores PYTHONPATH might not find the package there, so PYTHONPATH is not needed for it.
    options = {"env": {**os.environ, "PYTHONPATH": str(tmp_path / "evil")}, "capture_output": True, "text": True}
    result = subprocess.run([sys.executable, *flags, script, start_method], timeout=120, **options)
    assert result.returncode == 0 and not result.stderr, result.stderr
    assert result.stdout == f"the same {int('-I' in flags)}\n"
    ignored = "-I" in flags or "-E" in flags
    assert (tmp_path / "mark").exists() != ignored


@FRESH
def test_a_filter_for_a_warning_that_a_worker_does_not_know_is_no_filter_for_all_warnings(start_method):
    assert run_program(surrounding_programs.unclosed_file, start_method) == [True] * 4


@start_methods("fork", "spawn")
def test_workers_start_where_the_working_directory_was_removed(start_method, tmp_path):
    (tmp_path / "gone").mkdir()
    batch = run_program(surrounding_programs.without_working_directory, start_method, str(tmp_path / "gone"))
    assert [row[2] for row in batch] == [0, 1, 2, 3]


@FRESH
def test_a_fresh_worker_has_nothing_to_read(start_method):
    assert bytes(run_program(surrounding_programs.stdin_of_workers, start_method)[0]) == b"end"


@start_methods("fork", "spawn")
def test_where_the_system_lets_nobody_see_the_end_of_a_process_the_error_says_what_is_missing(start_method):
    text = run_program(surrounding_programs.without_pidfd, start_method)
    assert "pidfd_open is not allowed here (Function not implemented)" in text
    assert "Linux 5.3" in text and "seccomp" in text
