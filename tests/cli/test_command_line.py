"""What holds for every command: help, exit codes, and which modules are loaded."""

import os
import re
import subprocess
import sys

import pytest
from cli_runs import run

from jaxdali._cli.folder_images import check_can_write, find_images
from jaxdali._cli.numbers import bytes_text, count_from, seconds


def test_help_names_the_commands_and_loads_neither_jax_nor_numpy():
    code = "import sys; from jaxdali._cli.main import main\n"
    code += "try: main(['--help'])\nexcept SystemExit as end: print(end.code)\n"
    code += "print(sorted({'jax', 'jaxlib', 'numpy', 'PIL'} & {*sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert all(name in done.stdout for name in ("doctor", "bench", "view", "index", "exit codes"))
    assert done.stdout.endswith("0\n[]\n")


@pytest.mark.parametrize("columns", ["20", "200"])
def test_the_version_is_that_of_the_package_on_one_line(columns):
    import jaxdali

    done = run("--version", COLUMNS=columns)
    assert (done.returncode, done.stderr) == (0, "") and re.fullmatch(
        r"jaxdali \d+\.\d+\.\S+( when .*)?\n", done.stdout
    )
    assert done.stdout.split()[1] == jaxdali.__version__


def test_the_entry_point_is_the_module():
    tomllib = pytest.importorskip("tomllib")
    import house_rules

    project = tomllib.loads((house_rules.ROOT / "pyproject.toml").read_text())["project"]
    module, _, name = project["scripts"]["jaxdali"].partition(":")
    assert callable(getattr(__import__(module, fromlist=[name]), name))


@pytest.mark.parametrize("command", ["bench", "view"])
@pytest.mark.parametrize(
    ("what", "message"),
    [("nowhere", "there is no such file or folder"), ("file", "is a file"), ("empty", "no file below it")],
)
def test_a_folder_that_is_none_is_a_wrong_argument(tmp_path, command, what, message):
    (tmp_path / "file").touch()
    (tmp_path / "empty").mkdir()
    done = run(command, tmp_path / what, cwd=tmp_path)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(f"jaxdali {command}: {tmp_path / what}") and message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("unheard-of",),
        ("view",),
        ("view", ".", "--count", "0"),
        ("view", ".", "--count", "many"),
        ("bench", ".", "--seconds", "-1"),
        ("bench", ".", "--seconds", "inf"),
        ("bench", ".", "--decoder", "best"),
    ],
    ids=" ".join,
)
def test_wrong_arguments(arguments):
    done = run(*arguments)
    assert done.returncode == 2 and done.stderr.startswith("usage: jaxdali")


def test_images_are_found_at_any_depth_in_order(tmp_path):
    (tmp_path / "x" / "y").mkdir(parents=True)
    for name in ("x/y/b.JPG", "a.webp", "x/c.tiff", "x/notes.txt"):
        (tmp_path / name).touch()
    assert [os.path.relpath(path, tmp_path) for path in find_images(str(tmp_path))] == [
        "a.webp",
        "x/c.tiff",
        "x/y/b.JPG",
    ]


def test_trying_to_write_leaves_no_trace(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("kept")
    check_can_write(str(old))
    check_can_write(str(new))
    check_can_write(None)
    assert old.read_text() == "kept" and not new.exists()
    with pytest.raises(OSError):
        check_can_write(str(tmp_path / "no folder" / "x"))


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 bytes"), (1023, "1023 bytes"), (1024, "1 KiB"), (1536, "1.5 KiB"), (8 << 20, "8 MiB"), (None, "unlimited")],
)
def test_bytes_are_written_in_the_largest_unit(size, text):
    assert bytes_text(size) == text


def test_numbers():
    assert count_from(0)("0") == 0 and seconds("0.5") == 0.5


def test_an_unreadable_folder_is_said(monkeypatch, tmp_path):
    def walk(top, onerror):
        onerror(PermissionError(13, "Permission denied", top))
        return ()

    monkeypatch.setattr(os, "walk", walk)
    with pytest.raises(PermissionError):
        find_images(str(tmp_path))
