"""Names whatever a folder holds besides images, in characters that are safe to show on a terminal."""

import os

import pytest
from cli_runs import run
from jpeg_files import pillow_jpeg

ESCAPE = "\x1b]0;evil\x07\n\u202e.jpg"


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "images"
    (root / "a").mkdir(parents=True)
    for k in range(3):
        (root / "a" / f"{k}.jpg").write_bytes(pillow_jpeg(16, 16))
    (root / "a" / ESCAPE).write_bytes(b"\xff\xd8\xffbad")
    (root / "a" / os.fsdecode(b"\xff.jpg")).write_bytes(b"\xff\xd8\xffbad")
    os.mkfifo(root / "a" / "fifo.jpg")
    (root / "a" / "loop.jpg").symlink_to("loop.jpg")
    (root / "a" / "nowhere.jpg").symlink_to("/nonexistent")
    (root / "a" / "zero.jpg").symlink_to("/dev/zero")
    return root


def test_view_and_bench_leave_out_what_is_no_file(folder, tmp_path):
    sheet = tmp_path / "sheet.png"
    for arguments in (
        ("view", folder, "--output", sheet),
        ("bench", folder, "--batch-size", "4", "--workers", "1", "--rounds", "1", "--seconds", "0.01"),
    ):
        done = run(*arguments)
        assert done.returncode == 0, done.stderr
        assert "4 that are not files are left out:" in done.stderr
        assert "a/fifo.jpg: a FIFO" in done.stderr and "a/zero.jpg: a device" in done.stderr
        assert "a/loop.jpg: it leads nowhere (Too many levels of symbolic links)" in done.stderr
        assert "a/nowhere.jpg: it leads nowhere (No such file or directory)" in done.stderr
        assert r"a/\x1b]0;evil\x07\n\u202e.jpg: " in done.stderr and r"a/\udcff.jpg: " in done.stderr
        assert all(letter.isprintable() or letter == "\n" for letter in done.stdout + done.stderr)
    assert sheet.stat().st_size


def test_errors_show_names_in_the_same_way(tmp_path):
    done = run("view", tmp_path / ESCAPE)
    assert done.returncode == 2
    assert done.stderr.endswith("/\\x1b]0;evil\\x07\n\\u202e.jpg: there is no such file or folder\n")
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "empty" / "x.jpg")
    done = run("view", tmp_path / "empty")
    assert done.returncode == 2 and "x.jpg: a FIFO" in done.stderr and "no file below it ends in" in done.stderr
