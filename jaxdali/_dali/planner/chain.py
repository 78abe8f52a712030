"""Makes the programs of a graph that contains Python functions, and the stage that runs them. This file loads jax."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jaxdali._feed.ring.columns import Column
from jaxdali._run.executor.decode_ahead.ahead_decoder import AheadDecoder
from jaxdali._run.executor.device_stage import DeviceStage
from jaxdali._run.executor.program_chain import ChainedStage, HostFunction, Link
from jaxdali.errors import GraphError
from ..graph.call import Call, DataNode
from ..operators.branch_batch import HostBranch
from ..operators.declaration import declaration_of
from .encoded_files import EncodedFiles
from .graph_decoding import takes_files
from .graph_program import GraphProgram
from .graph_recipes import Recipes
from .options import PipelineOptions
from .plan import Plan
from .subgraphs import made_nodes

__all__ = ["ChainProgram", "chain"]


class _AllRecipes:
    """What is known of images, looked up in the program that makes them; see `Recipes`."""

    def __init__(self, of: Mapping[DataNode, Recipes]):
        self._of = of

    def canvas_of(self, node: DataNode) -> tuple[int, int] | None:
        recipes = self._of.get(node)
        return None if recipes is None else recipes.canvas_of(node)

    def ragged(self, node: DataNode) -> Call | None:
        recipes = self._of.get(node)
        return None if recipes is None else recipes.ragged(node)

    def keeps_channels(self, node: DataNode) -> Call | None:
        recipes = self._of.get(node)
        return None if recipes is None else recipes.keeps_channels(node)

    def advice(self, node: DataNode) -> str:
        return self._of[node].advice(node)


class ChainProgram:
    """What a `GraphProgram` says about its outputs, for several programs that run one after the other.

    Args:
        of: for each node that is handed out, the program that computes it, and its index among that program's outputs.
    """

    def __init__(self, of: Mapping[DataNode, tuple[GraphProgram, int]]):
        self._of = of
        self.recipes: Any = _AllRecipes({node: program.recipes for node, (program, _) in of.items()})

    @property
    def layouts(self) -> list[str]:
        """The layout of each output, known after the first batch."""
        return [program.layouts[index] for program, index in self._of.values()]

    @property
    def wide(self) -> list[np.dtype | None]:
        """The 64-bit types of outputs, known after the first batch; see `GraphProgram`."""
        return [program.wide[index] for program, index in self._of.values()]


def chain(
    plan: Plan,
    columns: list[Column],
    stage_of: Callable[[Plan, AheadDecoder | None], tuple[GraphProgram, DeviceStage]],
    ahead: AheadDecoder | None,
    options: PipelineOptions,
) -> tuple[ChainProgram, ChainedStage]:
    """Makes the programs of the plan's subgraphs, and the stage that runs them.

    Args:
        columns: those of the sources; columns that are made between programs are appended to them.
        stage_of: makes the program of a subgraph, and its stage.
        ahead: decodes ahead for the first subgraph.

    Raises:
        GraphError: the output of a function is decoded and also used otherwise.
    """
    sources = {node: number for node, number in plan.column_of.items() if number < len(columns)}
    made = made_nodes(plan.subgraphs)
    numbers = {**sources, **{node: len(columns) + k for k, node in enumerate(made)}}
    files = {node: EncodedFiles(node, users, options) for node in made if (users := _decoders(plan, node))}
    columns += [
        files[node].column if node in files else Column(name=node.name, declared_layout=_layout_of(node))
        for node in made
    ]
    links: list[Link] = []
    found: dict[DataNode, tuple[int, int]] = {}
    programs: dict[int, GraphProgram] = {}
    known = dict(sources)
    for number, subgraph in enumerate(plan.subgraphs):
        mine = {node for call in subgraph.calls for node in call.outputs}
        wanted = list(dict.fromkeys([*subgraph.crossing, *(node for node in plan.device_outputs if node in mine)]))
        program = stage = None
        if subgraph.calls:
            taken = {node for call in subgraph.calls for node in call.dependencies if node in known}
            inputs = sorted(known[node] for node in taken)
            own = dataclasses.replace(
                plan, column_of=dict(known), inputs=inputs, calls=list(subgraph.calls), outputs=wanted, subgraphs=[]
            )
            program, stage = stage_of(own, None if links else ahead)
            programs[number] = program
        found.update({node: (number, index) for index, node in enumerate(wanted)})
        functions = [_function(call, numbers, columns, files) for call in subgraph.functions]
        links.append(Link(stage, program, [found[node][1] for node in subgraph.crossing], functions))
        known.update({node: numbers[node] for node in made_nodes([subgraph])})
    outputs = [found[node] for node in plan.device_outputs]
    told = {node: (programs[found[node][0]], found[node][1]) for node in plan.device_outputs}
    return ChainProgram(told), ChainedStage(links, columns, outputs)


def _layout_of(node: DataNode) -> str:
    operator = declaration_of(node.call)
    layouts = operator.layouts
    return "" if layouts is None else layouts(node.call.params)[node.index]


def _decoders(plan: Plan, node: DataNode) -> list[Call]:
    """Returns the calls that decode a node that is made on the host."""
    calls = [call for subgraph in plan.subgraphs for call in (*subgraph.calls, *subgraph.functions)]
    uses = [call for call in calls for one in call.dependencies if one is node]
    decoders = [call for call in uses if takes_files(call) and call.inputs[0] is node]
    if decoders and (len(decoders) < len(uses) or any(one is node for one in plan.outputs)):
        raise GraphError(
            f"{node!r}, defined at {node.call.site}, is decoded and also used otherwise; files that are not JPEG are "
            f"decoded earlier, so their bytes are not available. Write {node.call.operator.display_name} twice"
        )
    return decoders


def _function(
    call: Call, numbers: Mapping[DataNode, int], columns: Sequence[Column], files: Mapping[DataNode, EncodedFiles]
) -> HostFunction:
    operator = declaration_of(call)
    outputs = [columns[numbers[node]] for node in call.outputs]
    puts = [files[node].put if node in files else None for node in call.outputs]
    inputs = [numbers[node] for node in call.dependencies]
    return HostFunction(inputs, functools.partial(HostBranch().compute, call), outputs, puts, operator.layouts is None)
