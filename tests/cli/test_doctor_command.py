"""`jaxdali doctor`: a real run, and its advice about limits that this machine does not have."""

import importlib.metadata
import os
import pathlib
import re
import resource
import subprocess
import sys

import jax
import pytest
from cli_runs import run

import jaxdali
from jaxdali._base import cpus as cpus_of
from jaxdali._base.cpus import cgroup_cpus, usable_cpus
from jaxdali._cli import machine
from jaxdali._cli.decoders import inspect_decoders
from jaxdali._cli.findings import Section
from jaxdali._cli.machine import cgroup_memory, inspect_machine
from jaxdali._cli.software import advice_about_gpus, jpeg_engine, own_version


def test_a_run():
    done = run("doctor", "--seconds", 0.02)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    words = done.stdout
    for title in ("software", "machine", "worker processes", "devices", "decoders", "advice"):
        assert f"\n{title}" in f"\n{words}"
    assert re.search(rf"^  jax +{re.escape(jax.__version__)}$", words, re.MULTILINE)
    for method in ("fork", "spawn", "forkserver"):
        assert re.search(rf"^  {method} +works: first batch after", words, re.MULTILINE)
    assert "images/s in batches of 16, pixels as Pillow's" in words
    assert "fork before the first use of jax, forkserver after it" in words and "make fork unsafe" in words
    assert f"of which this process may use {len(os.sched_getaffinity(0))}" in words


@pytest.mark.parametrize(
    ("machine", "built", "plugin", "words"),
    [
        ("x86_64", (), None, ["no CUDA plugin: pip install 'jaxdali[cuda13]'"]),
        ("x86_64", (12,), None, ["pip install 'jaxdali[cuda12]'"]),
        ("x86_64", (13,), 13, []),
        ("aarch64", (), None, ["no CUDA plugin", "wheels for aarch64 are for CPUs only"]),
        ("aarch64", (), 13, ["wheels for aarch64 are for CPUs only"]),
        ("aarch64", (13,), 13, []),
    ],
)
def test_advice_about_gpus(machine, built, plugin, words):
    advice = advice_about_gpus(machine, built, plugin)
    assert len(advice) == len(words) and all(part in whole for part, whole in zip(words, advice, strict=True))


def test_the_version_says_where_another_one_lies(tmp_path, monkeypatch):
    (tmp_path / "jaxdali-7.8.9.dist-info").mkdir()
    (tmp_path / "jaxdali-7.8.9.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.4\nName: jaxdali\nVersion: 7.8.9\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    here = pathlib.Path(jaxdali.__file__).resolve().parents[1]
    assert own_version() == f"7.8.9 when it was installed, used in {here}"
    assert jaxdali.__version__ == "7.8.9"
    monkeypatch.setattr(importlib.metadata.Distribution, "discover", lambda **_: iter(()))
    assert own_version() == f"not installed, used in {here}"


def test_what_does_not_work_is_an_exit_code():
    code = "from jaxdali._cli import workers\n"
    code += "def fail(method): raise OSError('no more processes')\n"
    code += "workers._make_a_sample = fail\n"
    code += "from jaxdali._cli.main import main; raise SystemExit(main(['doctor', '--seconds', '0.01']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert "does not work: no more processes" in done.stdout and "not all is well: worker processes" in done.stdout


def test_a_decoder_with_other_pixels_is_found(monkeypatch):
    module = importlib.import_module("jaxdali._device.image.decode")
    decode = module.decode
    monkeypatch.setattr(module, "decode", lambda *a, **k: decode(*a, **k) ^ 2)
    section = inspect_decoders(0.001)
    assert section.broken and "differ from Pillow's by up to 2 levels" in dict(section.rows)["JPEG: libjpeg-turbo"]


@pytest.mark.parametrize(
    ("files", "own", "cpus", "memory"),
    [
        ({}, "0::/\n", None, None),
        ({"cpu.max": "max 100000\n", "memory.max": "max\n"}, "0::/\n", None, None),
        ({"cpu.max": "150000 100000\n", "memory.max": "4096\n"}, "0::/\n", 1.5, 4096),
        # The limits of the parent groups count, too.
        ({"a/cpu.max": "200000 100000\n", "a/b/cpu.max": "max 100000\n", "a/b/memory.max": "5\n"}, "0::/a/b\n", 2.0, 5),
        ({"a/memory.max": "3\n", "a/b/memory.max": "5\n"}, "1:name=systemd:/x\n0::/a/b\n", None, 3),
        (
            {
                "cpu/cpu.cfs_quota_us": "50000\n",
                "cpu/cpu.cfs_period_us": "100000\n",
                "memory/memory.limit_in_bytes": "7\n",
            },
            "4:memory:/\n",
            0.5,
            7,
        ),
        (
            {"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}
            | {"memory/memory.limit_in_bytes": "9223372036854771712\n"},
            "4:memory:/\n",
            None,
            None,
        ),
    ],
)
def test_limits_of_cgroups(tmp_path, files, own, cpus, memory):
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert cgroup_cpus(tmp_path, own) == cpus
    assert cgroup_memory(tmp_path, own) == memory


def test_without_proc_the_topmost_group_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(cpus_of, "_OWN_CGROUP", tmp_path / "proc/self/cgroup")
    assert cgroup_cpus(tmp_path) is None and cgroup_memory(tmp_path) is None
    (tmp_path / "cpu.max").write_text("150000 100000\n")
    (tmp_path / "memory.max").write_text("4096\n")
    assert cgroup_cpus(tmp_path) == 1.5 and cgroup_memory(tmp_path) == 4096


def test_advice_about_limits(monkeypatch):
    limits = {resource.RLIMIT_AS: 8 << 30, resource.RLIMIT_NOFILE: 64, resource.RLIMIT_MEMLOCK: resource.RLIM_INFINITY}
    monkeypatch.setattr(resource, "getrlimit", lambda which: (limits[which], resource.RLIM_INFINITY))
    monkeypatch.setattr(machine, "cgroup_cpus", lambda: 0.5)
    section = inspect_machine()
    rows, advice = dict(section.rows), "\n".join(section.advice)
    assert (rows["RLIMIT_AS"], rows["RLIMIT_NOFILE"], rows["RLIMIT_MEMLOCK"]) == ("8 GiB", "64", "unlimited")
    assert "num_threads=1" in advice and "ulimit -v" in advice and "ulimit -n" in advice
    assert not section.broken


def test_memory_files_are_needed(monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "memfd_create", refuse)
    section = inspect_machine()
    assert section.broken and "memfd_create must be allowed" in "\n".join(section.advice)


def test_a_failure_makes_a_section_broken():
    section = Section("a")
    section.add("x", "1")
    assert not section.broken
    section.fail("y", "2", "Do this.")
    assert section.broken and section.rows == [("x", "1"), ("y", "2")] and section.advice == ["Do this."]


@pytest.mark.parametrize(("quota", "allowed", "cpus"), [(None, 8, 8), (0.5, 8, 1), (2.5, 8, 3), (64.0, 8, 8)])
def test_usable_cpus(monkeypatch, quota, allowed, cpus):
    monkeypatch.setattr(cpus_of, "cgroup_cpus", lambda: quota)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(allowed)))
    assert usable_cpus() == cpus


@pytest.mark.parametrize(
    ("status", "words", "destroyed"),
    [
        (0, "^yes, for", 1),
        (7, 'none, so .* "cuda", needs none', 0),
        (9, "^none", 0),
        (6, "not known: .* returned 6", 0),
    ],
)
def test_a_gpu_without_a_jpeg_engine_is_told(status, words, destroyed):
    class Library:
        destroyed = 0

        def nvjpegCreateEx(self, backend, device, pinned, flags, handle):
            assert (backend, device, pinned, flags) == (3, None, None, 0)
            return status

        def nvjpegDestroy(self, handle):
            self.destroyed += 1

    library = Library()
    assert re.search(words, jpeg_engine(library))
    assert library.destroyed == destroyed
