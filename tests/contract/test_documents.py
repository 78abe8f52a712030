"""Stubs are what docs/generate.py writes from the declarations of operators, and the table of costs has all of them."""

from __future__ import annotations

import importlib.util
import inspect
import pathlib
import re
import sys

import house_rules
import pytest
from operator_cases import ALL, COMPOSED, room_of

import jaxdali
from jaxdali import fn, math, ops
from jaxdali._dali.operators.operator_functions import shown

_spec = importlib.util.spec_from_file_location("generate", house_rules.ROOT / "docs/generate.py")
assert _spec is not None and _spec.loader is not None
generate = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(generate)
measured = generate.measured

# Last on the path, because some modules here have the same names as the tests' own.
sys.path.append(str(house_rules.ROOT / "benchmarks"))
from catalogue_case import Case  # noqa: E402
from catalogue_cases import CASES, LEFT_OUT, reason_of  # noqa: E402
from catalogue_file import merged, postponed, read, save, unmeasured  # noqa: E402

STUBS = generate.stubs()
CATALOGUE = house_rules.ROOT / "docs/catalogue.json"
PACKAGE = pathlib.Path(jaxdali.__file__).parent


@pytest.mark.parametrize("path", STUBS, ids=str)
def test_what_is_generated_is_up_to_date(path):
    # The suite also runs on an installed wheel, outside of the clone.
    assert (PACKAGE.parent / path).read_text() == STUBS[path], "run make docs"


@pytest.mark.parametrize("one", [one for one in ALL.values() if one.namespace == "fn"], ids=lambda one: one.name)
def test_every_argument_is_documented(one):
    room, _, name = one.name.rpartition(".")
    function = getattr(room_of(fn, room), name)
    text, taken = inspect.getdoc(function), inspect.signature(function).parameters
    for argument in [*one.inputs, *shown(one)]:
        assert argument.name in taken and f"{argument.name}: {argument.doc.split()[0]}" in text
    for argument in [*one.accepted, *one.refused, "device", "name", "preserve"]:
        assert f"{argument}: " in text
    assert "Raises:" in text and function.__name__ == name


def test_every_operator_has_a_row_and_is_measured_or_has_a_reason_not_to_be():
    own = {one.name for one in ALL.values() if one.namespace == "fn"} | COMPOSED
    rows = re.findall(r"^\| \[fn\.(\S+)\]\(", measured.page(read(CATALOGUE)), re.MULTILINE)
    assert sorted(rows) == sorted(own)
    assert own - CASES.keys() == {name for name in own if reason_of(name)}, (
        "there wants to be a case in benchmarks/catalogue_*.py"
    )
    assert own >= CASES.keys()
    assert all(len(cases) == 2 for cases in CASES.values())


def catalogue_faults(catalogue) -> list[str]:
    """What the contents of docs/catalogue.json lack, or have too much, each with what to do."""
    later, lacking = {*catalogue["not measured"]}, {*unmeasured(catalogue, "cpu")}
    found = []
    if names := sorted(lacking - later):
        found.append(
            f"docs/catalogue.json has no results of the cases of {', '.join(names)}. With DALI (make oracles): python "
            f"benchmarks/catalogue.py --only {' '.join(names)} --update docs/catalogue.json. Without it, to have them "
            'noted as "not measured": python benchmarks/catalogue.py --later --update docs/catalogue.json'
        )
    if later - lacking or catalogue["results"].keys() - CASES.keys() or catalogue["left_out"] != LEFT_OUT:
        found.append(
            "docs/catalogue.json is not as benchmarks/catalogue_*.py say: python benchmarks/catalogue.py --later --update "
            "docs/catalogue.json"
        )
    for name in catalogue["results"].keys() - lacking:
        uses = catalogue["results"][name]
        timed = [[size for size in ("small", "images") if "ratio" in use.get(size, ())] for use in uses]
        if timed != [["small", "images"], ["images"]]:
            found.append(f"the results of {name} are not as DALI's, or a size is missing: {timed}")
    return found


def test_every_case_was_measured_or_is_noted_and_its_results_are_as_dalis():
    assert catalogue_faults(read(CATALOGUE)) == []


def test_a_case_that_was_neither_measured_nor_noted_is_found(monkeypatch):
    monkeypatch.setitem(CASES, "blur", [Case((), len, "a"), Case((), len, "b")])
    monkeypatch.setitem(CASES, "resize", [Case((), len, "other"), CASES["resize"][1]])
    known = read(CATALOGUE)
    (fault,) = catalogue_faults(known)
    assert "no results of the cases of blur, resize." in fault
    assert "catalogue.py --only blur resize --update" in fault and '"not measured"' in fault
    noted = postponed(known)
    assert {*noted["not measured"]} == {*known["not measured"], "blur", "resize"} and catalogue_faults(noted) == []


def test_results_that_nobody_asks_for_or_that_differ_are_found():
    known = read(CATALOGUE)
    uses = known["results"]["resize"]
    failed = [uses[0], {**uses[1], "images": {"far": 3}}]
    for changes, expected in (
        ({"not measured": [*known["not measured"], "resize"]}, "is not as benchmarks"),
        ({"left_out": {**known["left_out"], "resize": "reason"}}, "is not as benchmarks"),
        ({"results": {**known["results"], "gone": uses}}, "is not as benchmarks"),
        ({"results": {**known["results"], "resize": failed}}, "the results of resize are not as DALI's"),
    ):
        (fault,) = catalogue_faults({**known, **changes})
        assert expected in fault


def test_what_was_not_measured_has_a_row_and_leaves_the_list_when_it_is(tmp_path):
    whole = read(CATALOGUE)
    results = {name: uses for name, uses in whole["results"].items() if name != "resize"}
    save(tmp_path / "catalogue.json", postponed({**whole, "results": results}))
    noted = read(tmp_path / "catalogue.json")
    assert {*noted["not measured"]} == {*whole["not measured"], "resize"}
    before, after = measured.table(whole).splitlines(), measured.table(noted).splitlines()
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert [new.split(" | ")[4] for old, new in changed if old.startswith("| [fn.resize](")] == ["not measured"]
    assert len(changed) == 1
    save(tmp_path / "catalogue.json", merged(noted, whole["machine"], {"resize": whole["results"]["resize"]}, "cpu"))
    assert read(tmp_path / "catalogue.json") == whole


def test_modules_list_what_they_have():
    assert {"resize", "external_source", "random"} <= set(fn.__all__) and set(dir(fn)) == set(fn.__all__)
    assert {"Resize", "ExternalSource"} <= set(ops.__all__) and ops.random.Uniform.__module__ == "jaxdali.ops.random"
    assert "sqrt" in math.__all__ and inspect.signature(math.clamp).parameters.keys() == {"value", "lo", "hi"}
    with pytest.raises(AttributeError, match="did you mean resize"):
        _ = fn.resise
