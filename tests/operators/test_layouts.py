"""Each operator gives its output the layout that DALI gives it, whatever layout its input has."""

import pytest
from layout_calls import CALLS, INPUTS, LEFT_OUT, REFUSED, recorded, sample
from tiers import gate
from traced_graphs import traced

from jaxdali import ConfigError, GraphError, fn, types
from jaxdali._dali.graph.declarations import operators

ANSWERED = recorded()
KEPT = ["H W C without", "CHW", "H W without", "F H W C without", "FHWC", "X without"]


def made(call, name):
    shape, layout = INPUTS[name]
    one = sample(shape)
    return CALLS[call](fn, types, fn.external_source(lambda: [one], layout=layout or None)), one, layout


@pytest.mark.parametrize("name", gate(INPUTS, KEPT))
def test_layouts_are_dalis(name):
    shape, layout = INPUTS[name]
    one = sample(shape)
    node = fn.external_source(lambda: [one], layout=layout or None)
    wanted = {call: found for call, found in ANSWERED[name].items() if name not in REFUSED.get(call, ())}
    outputs = traced([CALLS[call](fn, types, node) for call in wanted], one, layout)
    found = {call: output[0] for call, output in zip(wanted, outputs, strict=True)}
    assert found == wanted
    assert len(wanted) > 20


@pytest.mark.parametrize("call", REFUSED)
def test_what_is_refused_here_is_listed(call):
    for name in REFUSED[call]:
        assert call in ANSWERED[name]
        node, one, layout = made(call, name)
        with pytest.raises((ConfigError, GraphError)):
            traced([node], one, layout)


def test_every_operator_of_users_is_here():
    called = {call.split()[0] for call in CALLS}
    named = {
        name
        for name, one in operators().items()
        if getattr(one, "inputs", ()) and one.source is None and one.namespace == "fn" and not name.endswith(".gpu")
    }
    missing = {name for name in named if not {name, name.split(".")[-1]} & called}
    assert missing - {"shape"} == LEFT_OUT
