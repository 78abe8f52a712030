"""Traces a pipeline's program without compiling it: what its outputs would be."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from jaxdali._dali.graph.graph import find_graph
from jaxdali._dali.graph.scope import Scope
from jaxdali._dali.planner.graph_program import GraphProgram
from jaxdali._dali.planner.graph_recipes import Recipes
from jaxdali._dali.planner.options import PipelineOptions
from jaxdali._dali.planner.plan import make_plan
from jaxdali._dali.planner.subgraphs import Subgraph
from jaxdali._run.executor.device_io.canvas import Canvas, CanvasNeed, ChannelsNeed, WideNeed


def traced(nodes, sample: np.ndarray, layout: str, batch_size: int = 1) -> list[tuple[str, str, tuple[int, ...]]]:
    """Returns layout, type and shape of each node. Images whose size depends on data have 16 x 16 pixels.

    Args:
        sample: what the only source gives, and its layout.
    """
    plan = make_plan(find_graph(nodes, [], Scope()), PipelineOptions(batch_size=batch_size), 1)
    columns = [column for feed in plan.feeds for column in feed.columns]
    of_any_form = {number for number, column in enumerate(columns) if column.layout not in ("", "HWC")}
    calls = [call for part in plan.subgraphs for call in part.calls]
    made = {node for call in calls for node in call.outputs}
    # One program for all, also where the host would have to read a size in between.
    subgraph = Subgraph(
        calls, plan.subgraphs[0].column_of, [node for node in dict.fromkeys(plan.outputs) if node in made]
    )
    recipes = Recipes(subgraph.calls, subgraph.column_of, subgraph.outputs, 1 << 20, of_any_form)
    program = GraphProgram(subgraph, recipes, columns, 1, 0)
    values = [jax.ShapeDtypeStruct((batch_size, *sample.shape), sample.dtype) for _ in subgraph.inputs]
    told = {CanvasNeed: Canvas(16, 16, False), ChannelsNeed: 3, WideNeed: None}
    canvases = tuple(told[type(need)] for need in program.needs)
    origin = jnp.uint32(1), jnp.uint32(0)
    given = jax.ShapeDtypeStruct((batch_size, 2), jnp.uint32)
    found = jax.eval_shape(lambda values, indices: program(values, origin, indices, canvases)[0], values, given)
    found_of = {
        node: (layout, data.dtype.name, data.shape[1:])
        for node, (data, _), layout in zip(subgraph.outputs, found, program.layouts, strict=True)
    }
    return [found_of.get(node, (layout, sample.dtype.name, sample.shape)) for node in plan.outputs]
