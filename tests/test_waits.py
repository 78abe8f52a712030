"""No wait of jaxdali is silent or without a limit; the tables are in wait_rules.py."""

from __future__ import annotations

import pathlib

import pytest
import wait_rules as rules
from house_rules import ROOT

import jaxdali

PACKAGE = pathlib.Path(jaxdali.__file__).parent


def found_in_python() -> dict[str, dict[str, str]]:
    files = {path.relative_to(PACKAGE).as_posix(): path.read_text() for path in sorted(PACKAGE.rglob("*.py"))}
    return {path: waits for path, text in files.items() if (waits := rules.waits_of(text, path))}


def found_in_native_code() -> dict[str, dict[str, str]]:
    ffi = ROOT / "ffi"
    files = {
        path.relative_to(ffi).as_posix(): path.read_text()
        for path in sorted(ffi.rglob("*"))
        if path.suffix in (".cc", ".h", ".cu") and not path.is_relative_to(ffi / "tests")
    }
    return {path: waits for path, text in files.items() if (waits := rules.native_waits_of(text))}


def test_every_wait_has_a_limit_or_is_in_the_log():
    assert rules.wait_faults(found_in_python(), rules.WAITS) == []


def test_every_wait_of_native_code_has_a_limit_or_is_in_the_log():
    assert rules.wait_faults(found_in_native_code(), rules.NATIVE_WAITS) == []


@pytest.mark.parametrize(
    "statement",
    [
        "self.queue.get(timeout=None)",
        "process.wait()",
        "thread.join()",
        "thread.join(5)",
        "os.waitpid(pid, 0)",
        "future.result()",
        "time.sleep(1)",
        "lock.acquire()",
        "connection.recv(8)",
        "child.communicate()",
        "with self._lock: pass",
        "awaited(future, str)",
    ],
)
def test_a_wait_that_is_in_no_table_is_found(statement):
    text = f"class Waiter:\n  def hold(self):\n    def inner():\n      {statement}\n"
    (fault,) = rules.wait_faults({"a.py": rules.waits_of(text, "a.py")}, {})
    assert "Waiter.hold waits" in fault and "in no table" in fault


@pytest.mark.parametrize(
    "statement",
    [
        "','.join(parts)",
        "os.path.join(a, b)",
        "known.get(key)",
        "with open(path): pass",
        "patience.wait()",
        "lock.acquire(blocking=False)",
    ],
)
def test_what_does_not_wait_is_not_found(statement):
    assert rules.waits_of(f"def f():\n  {statement}\n", "a.py") == {}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("void Engine::Rest() {\n  if (a) {\n    work_.wait(lock);\n  }\n}\n", "Engine::Rest"),
        ("class A {\n  void Rest() { cudaStreamSynchronize(s); }\n};\n", "Rest"),
        ("A::A() {\n  for (std::thread& t : threads) t.join();\n}\n", "A::A"),
        ("int B(\n    int a) {\n  FutexWait(x, 1, -1);\n}\n", "B"),
    ],
)
def test_a_wait_of_native_code_that_is_in_no_table_is_found(text, name):
    (fault,) = rules.wait_faults({"a.cc": rules.native_waits_of(text)}, {})
    assert f"{name} waits" in fault
    assert rules.native_waits_of("bool Await(Job& job);\n// wait(\nvoid F() {\n  a.push_back(b);\n}\n") == {}


def test_an_entry_without_a_wait_or_a_word_is_found():
    table = {"a.py": {"f": "limit: a second", "g": "log"}}
    faults = rules.wait_faults({"a.py": {"g": "time.sleep(1)"}}, table)
    assert faults == [
        "a.py: f does not wait any more",
        "a.py: g is a limit, in the log, idle or of the device, and how?",
    ]
