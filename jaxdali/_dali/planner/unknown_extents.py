"""Cuts a graph where images have extents that nothing limits beforehand, and what follows needs a limit.

This file loads jax; it is imported when a pipeline is built.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..graph.call import Call, DataNode
from .graph_recipes import Recipes
from .options import PipelineOptions
from .plan import Plan
from .subgraphs import made_nodes

__all__ = ["cut_where_unknown"]


def cut_where_unknown(plan: Plan, options: PipelineOptions) -> Plan:
    """Returns the plan with more programs if necessary: images whose extents are not known beforehand are computed by one
    of them, so that the host knows their shapes before it calls the next one.
    """
    largest = options.max_canvas_bytes // (3 * options.batch_size)
    while True:
        found = {call: node for recipes in _recipes(plan, largest) for call, node in recipes.unbounded().items()}
        # What comes straight from a source or a function is known; then nothing helps.
        new = {
            call: {*plan.measured.get(call, ()), node}
            for call, node in found.items()
            if node.call in plan.calls and node not in plan.measured.get(call, ())
        }
        if not new:
            return plan
        plan = plan.cut({**plan.measured, **new})


def _recipes(plan: Plan, largest: int) -> Iterator[Recipes]:
    for calls, column_of, outputs in _programs(plan):
        others = {number for number in column_of.values() if number >= plan.given}
        yield Recipes(calls, column_of, outputs, largest, others)


def _programs(plan: Plan) -> Iterator[tuple[list[Call], dict[DataNode, int], list[DataNode]]]:
    """Yields the calls of each program, the columns that it can take, and its outputs."""
    if not plan.subgraphs:
        yield plan.calls, plan.column_of, plan.outputs
        return
    known = {node: number for node, number in plan.column_of.items() if number < plan.given}
    made = {node: plan.given + k for k, node in enumerate(made_nodes(plan.subgraphs))}
    for subgraph in plan.subgraphs:
        mine = {node for call in subgraph.calls for node in call.outputs}
        outputs = [*subgraph.crossing, *(node for node in plan.device_outputs if node in mine)]
        yield list(subgraph.calls), dict(known), list(dict.fromkeys(outputs))
        known.update({node: made[node] for node in made_nodes([subgraph])})
