"""Cuts a graph where images have extents that nothing limits beforehand, and what follows needs a limit.

This file loads jax; it is imported when a pipeline is built.
"""

from __future__ import annotations

from collections.abc import Iterator

from .graph_recipes import Recipes
from .options import PipelineOptions
from .plan import Plan

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
    for subgraph in plan.subgraphs:
        others = {number for number in subgraph.column_of.values() if number >= plan.given}
        yield Recipes(subgraph.calls, subgraph.column_of, subgraph.outputs, largest, others)
