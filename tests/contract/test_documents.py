"""Stubs and the reference are what docs/generate.py writes from the declarations of operators."""

from __future__ import annotations

import importlib.util
import inspect
import json
import pathlib
import re
import sys

import house_rules
import pytest
from operator_cases import ALL, COMPOSED, room_of

import jaxdali
from jaxdali import fn, math, ops
from jaxdali.operators.functions import shown

_spec = importlib.util.spec_from_file_location("generate", house_rules.ROOT / "docs/generate.py")
assert _spec is not None and _spec.loader is not None
generate = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(generate)

# Last on the path, because some modules here have the same names as the tests' own.
sys.path.append(str(house_rules.ROOT / "benchmarks"))
from catalogue_cases import CASES, reason_of  # noqa: E402

FILES = generate.files()
PACKAGE = pathlib.Path(jaxdali.__file__).parent


@pytest.mark.parametrize("path", FILES, ids=str)
def test_what_is_generated_is_up_to_date(path):
    # The suite also runs on an installed wheel, outside of the clone.
    lies = PACKAGE.parent / path if path.parts[0] == "jaxdali" else house_rules.ROOT / path
    assert lies.read_text() == FILES[path], "run python docs/generate.py"


@pytest.mark.parametrize("one", [one for one in ALL.values() if one.door == "fn"], ids=lambda one: one.name)
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
    own = {one.name for one in ALL.values() if one.door == "fn"} | COMPOSED
    rows = re.findall(r"^\| fn\.(\S+) \|", FILES[pathlib.Path("docs/operators.md")], re.MULTILINE)
    assert sorted(rows) == sorted(own)
    assert own - CASES.keys() == {name for name in own if reason_of(name)}, (
        "there wants to be a case in benchmarks/catalogue_*.py"
    )
    assert own >= CASES.keys()
    assert all(len(cases) == 2 for cases in CASES.values())


def test_every_case_was_measured_and_its_results_are_as_dalis():
    results = json.loads((house_rules.ROOT / "docs/catalogue.json").read_text())["results"]
    texts = {name: [case["text"] for case in cases] for name, cases in results.items()}
    now = {name: [case.text for case in cases] for name, cases in CASES.items()}
    other = sorted(name for name in {*now, *texts} if now.get(name) != texts.get(name))
    assert not other, f"python benchmarks/catalogue.py --only {' '.join(other)} --update docs/catalogue.json"
    for name, cases in results.items():
        timed = [[case[size] for size in ("small", "images") if size in case] for case in cases]
        assert [len(sizes) for sizes in timed] == [2, 1]
        assert all("ratio" in answer for sizes in timed for answer in sizes), name


def test_modules_list_what_they_have():
    assert {"resize", "external_source", "random"} <= set(fn.__all__) and set(dir(fn)) == set(fn.__all__)
    assert {"Resize", "ExternalSource"} <= set(ops.__all__) and ops.random.Uniform.__module__ == "jaxdali.ops.random"
    assert "sqrt" in math.__all__ and inspect.signature(math.clamp).parameters.keys() == {"value", "lo", "hi"}
    with pytest.raises(AttributeError, match="did you mean resize"):
        _ = fn.resise
