"""A file that crashes the library that reads it: only that file gets an error."""

from __future__ import annotations

import crashing_readers
from processes import run_program


def test_a_file_that_ends_its_reader_is_named_and_not_tried_for_ever(tmp_path):
    found = run_program(crashing_readers.run, str(tmp_path))
    for name in ("decoded", "read", "loader"):
        said = found[name]
        assert said["file"] == str(tmp_path / "3.wav") and "SIGSEGV" in said["error"], name
        assert "sample 3" in said["error"] and "4 workers died of it" in said["error"], name
    assert found["decoded"]["given"] == found["read"]["given"] == [10, 11]
    assert found["behind"] == 1
