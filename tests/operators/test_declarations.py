"""A declaration is all that an operator needs. The tests declare some that jaxdali does not have."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from jaxdali import ConfigError, GraphError, Pipeline, fn
from jaxdali._dali.graph import declarations
from jaxdali._dali.operators import FUNCTIONS
from jaxdali._dali.operators.argument_kinds import FLAG, NUMBERS, integer
from jaxdali._dali.operators.declaration import REQUIRED, Only, Operator, PerSample, Static
from jaxdali._dali.operators.operator_inputs import ANY
from jaxdali._dali.operators.values import BatchValue


@pytest.fixture
def declare(monkeypatch):
    """Declares operators for a test."""
    monkeypatch.setattr(declarations, "_operators", dict(declarations.operators()))
    return lambda **record: declarations.declare(Operator(**record))


def _parts(_context, value, *, divisor):
    return tuple(BatchValue(part, value.shapes) for part in (value.data // divisor, value.data % divisor))


def parts(declare, outputs):
    params = [Static("divisor", integer(1), REQUIRED, "of the numbers")]
    return declare(name="parts", inputs=[ANY], params=params, outputs=outputs, compute=_parts)


def numbers():
    return fn.external_source(lambda i: np.arange(6, dtype=np.int32).reshape(2, 3) + i)


def values(pipe):
    with pipe:
        return [[np.asarray(output.at(k)).tolist() for k in range(2)] for output in pipe.run()]


def test_an_operator_may_have_several_outputs(declare):
    quotient, rest = parts(declare, lambda _params: 2)(numbers(), divisor=4)
    assert (quotient.name, rest.index) == (f"{quotient.call.label}[0]", 1)
    pipe = Pipeline(batch_size=2)
    pipe.set_outputs(rest, quotient + 10)
    assert values(pipe) == [[[0, 1, 2], [3, 0, 1]], [[10, 10, 10], [10, 11, 11]]]


def test_outputs_may_have_keys(declare):
    found = parts(declare, lambda _params: ("quotient", "rest"))(numbers(), divisor=4)
    assert list(found) == ["quotient", "rest"]
    pipe = Pipeline(batch_size=2)
    pipe.set_outputs(found["rest"])
    assert values(pipe) == [[[0, 1, 2], [3, 0, 1]]]


def test_it_is_saved_with_its_outputs(declare):
    _, rest = parts(declare, lambda _params: 2)(fn.external_source(name="x"), divisor=5)
    pipe = Pipeline(batch_size=2, seed=1)
    pipe.set_outputs(rest)
    again = Pipeline.deserialize(pipe.serialize())
    again.feed_input("x", np.array([[7], [9]]))
    assert values(again) == [[[2], [4]]]
    pipe.close()


def test_a_saved_call_is_checked_as_if_it_were_written(declare):
    node = parts(declare, lambda _params: 2)(fn.external_source(name="x"), divisor=5)[0]
    pipe = Pipeline(batch_size=2, seed=1)
    pipe.set_outputs(node)
    saved = json.loads(pipe.serialize())
    (call,) = (call for call in saved["graph"]["calls"] if call["operator"] == "parts")
    for changed, words in (
        ({"params": {"divisor": 0}}, "divisor"),
        ({"params": {}}, r"fn.parts\(divisor=\) is missing"),
        ({"params": {"divisor": 5, "more": 1}}, "has the parameters"),
        ({"hints": {"divisor": 5}}, "has the parameters"),
        ({"inputs": []}, "works on DataNodes, got nothing"),
        ({"operator": "absent"}, "absent"),
        ({"device": "mixed"}, "device of fn.parts must be one of cpu, gpu"),
    ):
        whole = {
            **saved,
            "graph": {
                **saved["graph"],
                "calls": [{**c, **(changed if c == call else {})} for c in saved["graph"]["calls"]],
            },
        }
        with pytest.raises(ConfigError, match=words):
            Pipeline.deserialize(json.dumps(whole))


def test_two_operators_have_two_names(declare):
    parts(declare, None)
    with pytest.raises(ValueError, match="two operators are called 'parts'"):
        parts(declare, None)


def test_inputs_and_arguments_are_counted(declare):
    one = declare(
        name="one",
        inputs=[ANY],
        params=[PerSample("a", 1.0, "a number", NUMBERS), Static("b", FLAG, False, "a flag")],
        refused={"c": Only((1, 2), "leave it out")},
        accepted={"d": "nothing depends on it"},
        compute=lambda _context, value, **_params: value,
    )
    node = numbers()
    assert one(node, c=[1, 2], d=object(), b=1, a=None or 2).call.params == {"a": 2, "b": True}
    for arguments, words in (
        (((node, node), {}), r"fn.one takes 1 input\(s\), got 2"),
        (((), {}), "works on DataNodes, got nothing for data"),
        ((([node, 3],), {}), "works on DataNodes, got int in a list for data"),
        ((("3",), {}), "works on DataNodes, got str for data"),
        (((node,), {"c": 3}), r"fn.one\(c=3\) is not supported: leave it out"),
        (((node,), {"b": node}), r"fn.one\(b=\) must be known when the pipeline is defined"),
        (((node,), {"preserve": 1}), r"fn.one\(preserve=\) must be True or False"),
        (
            ((node,), {"preserve": True}),
            "keeps an operator in the pipeline that is being defined, but no pipeline is being defined",
        ),
        (((node,), {"name": ""}), "the name of fn.one must be text"),
        (((node,), {"device": "tpu"}), "device of fn.one must be one of cpu, gpu, got 'tpu'"),
        (((node,), {"bytes_per_sample_hint": -1}), "bytes_per_sample_hint"),
    ):
        with pytest.raises(ConfigError, match=words) as raised:
            one(*arguments[0], **arguments[1])
        assert any(__file__ in note for note in raised.value.__notes__)
    with pytest.raises(GraphError):
        one("3")


def test_functions_are_listed_where_they_are_found():
    functions = {name for name, one in declarations.operators().items() if getattr(one, "namespace", "") == "fn"}
    assert functions == set(FUNCTIONS)
    for name, file in FUNCTIONS.items():
        assert f"jaxdali._dali.operators.{file}" in sys.modules
        assert declarations.operator_named(name).name == name


def test_an_operator_is_loaded_when_it_is_asked_for():
    program = """
import sys
from jaxdali import fn, ops, types, pipeline_def
import jaxdali.plugin.jax
rooms = "jaxdali._dali.operators.image.", "jaxdali._dali.operators.arithmetic"
print(sorted(name for name in sys.modules if name.startswith(rooms)))
fn.flip, ops.decoders.Image
print("jaxdali._dali.operators.image.flip" in sys.modules, "jaxdali._dali.operators.image.resize" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split("\n")[:2] == ["[]", "True False"], done.stderr
