"""Mutations are valid and in effect only if the switch says so, old faults can be put back, and what a run's reports say."""

from __future__ import annotations

import json
import pathlib

import guard_draw
import guard_faults
import guard_native
import guard_python
import guard_report
import guard_runs
import guard_switch
import pytest

import jaxdali

SOURCE = '''"""Text 1 < 2."""
LIMIT = 3

def f(a, b: int = 4, *, key=None):
    """Says 5."""
    if TYPE_CHECKING:
        import c
    for k in range(7):
        if k == a:
            break
    if not a or k > b:
        return dict(a=a, ä="ö" if b else "", k=k + 1)
    if a < 1:
        raise ValueError(f"{a + 1} is below {0}")
    return a
'''


def test_lines_that_are_code_in_a_function_are_changed():
    found = {(one.line, one.kind, one.changed) for one in guard_python.candidates("a.py", SOURCE)}
    assert {line for line, *_ in found} == {8, 9, 10, 11, 12, 13, 15}
    assert (9, "comparison", "k != a") in found
    assert (11, "and/or", "not a and k > b") in found
    assert (11, "comparison", "k >= b") in found
    assert (12, "keyword", "dict(a=a, ä='ö' if b else '')") in found
    assert (12, "arithmetic", "k - 1") in found
    assert (15, "return", "None") in found


def ran(source: str, monkeypatch, chosen: int, *arguments):
    monkeypatch.setattr(guard_switch, "_CHOSEN", chosen)
    names = {"TYPE_CHECKING": False}
    exec(compile(source, "a.py", "exec"), names)
    try:
        return names["f"](*arguments)
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("arguments", [(0,), (3, 2), (2, 9), (-1, 9), (1, 9)])
def test_a_mutation_is_in_effect_if_the_switch_says_so(monkeypatch, arguments):
    found = guard_python.candidates("a.py", SOURCE)
    one_a_line = {one.line: one for one in found}
    text = guard_python.with_switches(SOURCE, one_a_line)
    assert ran(text, monkeypatch, 0, *arguments) == ran(SOURCE, monkeypatch, 0, *arguments)
    for number, one in one_a_line.items():
        alone = SOURCE.encode()[: one.start] + one.changed.encode() + SOURCE.encode()[one.end :]
        assert ran(text, monkeypatch, number, *arguments) == ran(alone.decode(), monkeypatch, 0, *arguments), one


def test_each_mutation_makes_a_difference(monkeypatch):
    calls = [(0,), (3, 2), (3, 3), (2, 9), (-1, 9), (0, 9), (1, 9)]
    found = {one for one in guard_python.candidates("a.py", SOURCE) if one.kind in ("return", "comparison", "jump")}
    for one in found:
        text = guard_python.with_switches(SOURCE, {1: one})
        assert any(ran(text, monkeypatch, 1, *a) != ran(text, monkeypatch, 0, *a) for a in calls), one


def test_the_line_of_a_mutation_is_shown():
    one = next(one for one in guard_python.candidates("a.py", SOURCE) if one.kind == "arithmetic")
    assert guard_python.before_and_after(SOURCE, one) == (
        'return dict(a=a, ä="ö" if b else "", k=k + 1)',
        'return dict(a=a, ä="ö" if b else "", k=k - 1)',
    )


NATIVE = """
constexpr int kSize = 3;
int f(int a, const std::vector<int>& b) {
  for (int k = 0; k < a; ++k) {
    // a < 2
    use(k);
    if (b[k] == 4 && a > 1) return k - 1;
  }
  const int sum = a +
                  b.size();
  throw Error("1 + 2");
}
"""


def test_lines_of_native_code_are_changed():
    found = guard_native.candidates("a.cc", NATIVE)
    assert {(one.line, one.changed) for one in found} == {
        (4, "k <= a"),
        (7, "b[k] != 4 && a > 1"),
        (7, "b[k] == 4 || a > 1"),
        (7, "b[k] == 4 && a >= 1"),
        (7, "b[k] == 5 && a > 1"),
        (7, "b[k] == 4 && a > 2"),
    }
    first = next(one for one in found if one.line == 4)
    assert "for (int k = 0; (guard::on(7) ? (k <= a) : (k < a)); ++k) {" in guard_native.with_switches(
        NATIVE, {7: first}
    )


def test_equal_seeds_draw_equal_mutations(tmp_path):
    def compiles(one: guard_python.Mutation) -> bool:
        return one.kind != "and/or"

    for room in guard_draw.ROOMS:
        file = tmp_path / "jaxdali" / room / f"{room or 'top'}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(SOURCE)
    (tmp_path / "ffi" / "base").mkdir(parents=True)
    (tmp_path / "ffi" / "base" / "a.cc").write_text(NATIVE)
    drawn = guard_draw.draw(tmp_path, 5, 14, compiles)
    assert drawn == guard_draw.draw(tmp_path, 5, 14, compiles)
    assert drawn != guard_draw.draw(tmp_path, 6, 14, compiles)
    assert len({(one.path, one.line) for one in drawn.values()}) == len(drawn) == 14
    guard_draw.write(tmp_path, drawn)
    texts = "".join(path.read_text() for path in [*tmp_path.rglob("*.py"), *tmp_path.rglob("*.cc")])
    assert all(texts.count(f"on({number})") == 1 for number in drawn)


def test_every_mutation_of_a_room_compiles():
    root = pathlib.Path(jaxdali.__file__).parent.parent
    assert all(len(guard_draw.files_of(root, room)) > 10 for room in guard_draw.ROOMS)
    files = guard_draw.files_of(root, "_feed/ring")
    for path in files:
        source = (root / path).read_text()
        for one in guard_python.candidates(path, source):
            compile(guard_python.with_switches(source, {1: one}), path, "exec")


@pytest.mark.parametrize("name", guard_faults.FAULTS)
def test_an_old_fault_can_be_put_back(name):
    fault, package = guard_faults.FAULTS[name], pathlib.Path(jaxdali.__file__).parent
    texts = guard_faults.put_back(package, fault)
    assert texts and all(text != (package / path).read_text() for path, text in texts.items())
    for path, text in texts.items():
        compile(text, path, "exec")
    assert fault.tests and all((pathlib.Path(__file__).parents[2] / path).exists() for path in fault.tests)


@pytest.mark.parametrize(("text", "count"), [("b = 1\n", 0), ("a = 1\na = 1\n", 2)])
def test_a_fault_that_does_not_fit_the_file_is_an_error(tmp_path, text, count):
    (tmp_path / "a.py").write_text(text)
    fault = guard_faults.Fault("a was 2", ("tests/test_a.py",), (guard_faults.Change("a.py", "a = 1", "a = 2"),))
    with pytest.raises(ValueError, match=f"a.py has 'a = 1' {count} times, not once; mend the entry of 'a was 2'"):
        guard_faults.put_back(tmp_path, fault)
    (tmp_path / "a.py").write_text("a = 1\n")
    assert guard_faults.put_back(tmp_path, fault) == {"a.py": "a = 2\n"}


def test_a_test_that_hangs_is_the_one_without_an_end(tmp_path):
    lines = [("a", "start", "started"), ("a", "call", "failed"), ("a", "teardown", "passed"), ("b", "setup", "passed")]
    reports = tmp_path / "reports"
    text = [json.dumps({"test": t, "when": when, "outcome": outcome, "seconds": 1.5}) for t, when, outcome in lines]
    reports.write_text("\n".join(text))
    assert guard_runs.read_reports(reports) == ({"a": 4.5, "b": 1.5}, ["a"], "b")


@pytest.mark.parametrize(
    ("ran", "verdict"),
    [
        ({}, "no test reaches it"),
        ({"gate f": None, "thorough f": None}, "survived"),
        ({"gate f": "f::in_gate"}, "killed by the gate"),
        ({"gate f": "f::outside"}, "not done"),
        ({"gate f": None, "thorough f": "f::outside"}, "KILLED BY THOROUGH TESTS ONLY"),
        ({"gate f": None, "thorough f": "f::removed"}, "killed by tests that are no more"),
        ({"gate f": "f (as a whole)"}, "killed by the gate"),
    ],
)
def test_what_became_of_a_mutation_follows_from_the_gate_of_today(monkeypatch, ran, verdict):
    monkeypatch.setattr(guard_runs, "gate", lambda: {"f::in_gate"})
    monkeypatch.setattr(guard_runs, "thorough", lambda: {"f::outside"})
    entry = {"ran": {key: {"killer": killer, "end": None} for key, killer in ran.items()}, "complete": True}
    assert guard_report.verdict(entry)[0] == verdict
    if not any(ran.values()):
        assert guard_report.verdict({**entry, "complete": False})[0] == "not done"
