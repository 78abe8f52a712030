"""jaxdali knows all names and arguments of NVIDIA's DALI: those of its modules, and of its operators' schemas."""

from __future__ import annotations

import importlib
import inspect
import json
import subprocess
import sys
import types

import pytest
from beside_dali import SYSTEMS, load

from jaxdali._base.dali_names import NAMES
from jaxdali._dali.graph.declarations import operators
from jaxdali._dali.operators.classes import class_name
from jaxdali._dali.operators.declaration import COMMON, Operator
from jaxdali._dali.operators.old import OLD_NAMES, old_arguments
from jaxdali._dali.planner.options import PipelineOptions

pytestmark = pytest.mark.dali

# Modules whose names are DALI's internals, or belong to other modules.
INSIDE = ("hidden", "plugin.jax.f", "plugin.jax.integration", "plugin.jax.iterator")
OPERATORS = {name: one for name, one in operators().items() if isinstance(one, Operator) and one.namespace == "fn"}


def public_names(module) -> list[str]:
    """Returns the module's public names that are DALI's own, without what it imports from others."""
    found = []
    for name in sorted(dir(module)):
        thing = getattr(module, name)
        if isinstance(thing, types.ModuleType):
            mine = thing.__name__.startswith(f"{module.__name__}.")
        else:
            home = getattr(thing, "__module__", None)
            mine = not isinstance(home, str) or home.startswith("nvidia.dali")
        if mine and not name.startswith("_"):
            found.append(name)
    return found


def names_of_the_package() -> list[str]:
    """Returns the names that `import nvidia.dali` alone brings; later imports would add attributes to the package."""
    asked = "import nvidia.dali as dali; here = set(dir(dali)); import json; print(json.dumps(sorted(here)))"
    done = subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True, text=True)
    alone = set(json.loads(done.stdout))
    return [name for name in public_names(importlib.import_module("nvidia.dali")) if name in alone]


def rooms() -> dict[str, list[str]]:
    """Returns the names of each of DALI's modules, and of its Pipeline."""
    dali = load("nvidia.dali")
    found = {
        "": sorted([*names_of_the_package(), "plugin"]),
        "Pipeline": [name for name in dir(dali.Pipeline) if not name.startswith("_")],
    }
    waiting = ["plugin.jax", "types", "backend", "math", "fn", "ops"]
    while waiting:
        room = waiting.pop()
        module = importlib.import_module(f"nvidia.dali.{room}")
        found[room] = public_names(module)
        below = [f"{room}.{name}" for name in found[room] if isinstance(getattr(module, name), types.ModuleType)]
        waiting += [name for name in below if not any(name.endswith(inside) for inside in INSIDE)]
    return found


def schema(name: str):
    from nvidia.dali import backend  # pyright: ignore[reportMissingImports]

    *room, own = name.split(".")
    return backend.GetSchema("__".join([*room, class_name(own)]))


def test_the_names_are_those_of_dalis_modules():
    assert {room: names.split() for room, names in NAMES.items()} == rooms()


@pytest.mark.parametrize("name", OPERATORS)
def test_each_argument_of_dalis_is_known(name):
    one = OPERATORS[name]
    theirs = set(schema(name).GetArgumentNames())
    assert theirs <= {*one.arguments, *old_arguments(one)}
    assert {*one.accepted, *one.refused} <= theirs
    assert set(COMMON) <= set(one.arguments)


@pytest.mark.parametrize("name", OPERATORS)
def test_arguments_that_dali_deprecates_warn(name):
    one, theirs = OPERATORS[name], schema(name)
    deprecated = {argument for argument in theirs.GetArgumentNames() if theirs.IsDeprecatedArg(argument)}
    # An old argument that is not just renamed is an argument here, too.
    renamed = deprecated.difference(param.name for param in one.params)
    assert renamed == set(one.old)
    assert deprecated - renamed == ({"masks"} if name == "readers.coco" else set())
    for argument in renamed:
        now = theirs.DeprecatedArgInfo(argument)["renamed_to"]
        assert (now or "") == one.old[argument].now


def test_the_old_names_are_those_that_dali_deprecates_of_what_is_here():
    load("nvidia.dali")
    for old, name in OLD_NAMES.items():
        theirs = schema(old)
        assert theirs.IsDeprecated(), old
        now = theirs.DeprecatedInFavorOf()
        assert now == (schema(name).Name() if name != "shape" else ""), old


def test_a_pipeline_takes_none_where_dali_does():
    given = {"batch_size": 2, "num_threads": 1, "device_id": None}
    names = [
        name for name in inspect.signature(load("nvidia.dali").Pipeline).parameters if name in PipelineOptions.names()
    ]
    refused = {}
    for system in SYSTEMS:
        dali = load(system)
        refused[system] = set()
        for name in names:
            try:
                pipe = dali.Pipeline(**{**given, name: None})
                with pipe:
                    pipe.set_outputs(dali.fn.random.uniform())
                pipe.build()
                pipe.run()
            except Exception:
                refused[system].add(name)
    assert len(names) > 20 and "py_num_workers" in names
    assert refused["jaxdali"] <= refused["nvidia.dali"] == {"batch_size", "num_threads", "prefetch_queue_depth"}
