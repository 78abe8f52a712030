"""The programs that compare wheels, which nothing else of the gate runs, fit the package as it is."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest
from house_rules import ROOT


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"wheel_{name}", ROOT / ".ci" / "wheels" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_digests_tell_files_and_pixels_apart(capsys):
    bits = load("bits")
    png, webp, *_ = bits.whole_others()
    bits.show_natively({"png": png, "webp": webp, "cut": png[:-20]})
    digests = dict(line.rsplit(" ", 1) for line in capsys.readouterr().out.splitlines())
    assert [*digests] == [f"{name} {indices}" for name in ("png", "webp", "cut") for indices in (False, True)]
    assert digests["png False"] == digests["png True"] and len({*digests.values()}) == 3, "without a palette"


def test_neighbours_hear_of_errors_and_of_nothing_else():
    neighbours = load("neighbours")
    pixels, statuses = neighbours.decode_beside(()).split(" ", 1)
    assert len(pixels) == 64 and statuses == "[0, 1, 2] ValueError"
    assert neighbours.error_of(lambda: [][0]) == "IndexError"
    with pytest.raises(SystemExit, match="raised nothing"):
        neighbours.error_of(lambda: None)
    assert neighbours.repeats(("torchvision", "torch")) and not neighbours.repeats(("torch", "torchvision"))
