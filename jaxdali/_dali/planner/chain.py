"""Makes the programs of a graph, one for each subgraph, and the stage that runs them. This file loads jax."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence

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
from .subgraphs import Subgraph

__all__ = ["ChainProgram", "chain"]


class ChainProgram:
    """What programs that run one after the other say about the outputs of a pipeline.

    Args:
        outputs: the nodes that are handed out, in order.
        of: for each of them the program that computes it, and its index among that program's outputs.
    """

    def __init__(self, outputs: Sequence[DataNode], of: Mapping[DataNode, tuple[GraphProgram, int]]):
        self._of = of
        self._places = [of[node] for node in outputs]

    @property
    def forms(self) -> list[tuple[str, np.dtype | None]]:
        """The layout of each output and its 64-bit type, known after the first batch; see `GraphProgram`."""
        return [(program.layouts[index], program.wide[index]) for program, index in self._places]

    def recipes_of(self, node: DataNode) -> Recipes | None:
        """Returns what is known of images beforehand, by the program that makes them; None: no program makes this node."""
        return self._of[node][0].recipes if node in self._of else None


def chain(
    plan: Plan,
    columns: list[Column],
    stage_of: Callable[[Subgraph, AheadDecoder | None], tuple[GraphProgram, DeviceStage]],
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
    made = [node for subgraph in plan.subgraphs for node in subgraph.made]
    numbers = {**plan.subgraphs[0].column_of, **{node: len(columns) + k for k, node in enumerate(made)}}
    files = {node: EncodedFiles(node, users, options) for node in made if (users := _decoders(plan, node))}
    columns += [
        files[node].column if node in files else Column(name=node.name, declared_layout=_layout_of(node))
        for node in made
    ]
    links: list[Link] = []
    places: dict[DataNode, tuple[int, int]] = {}
    of: dict[DataNode, tuple[GraphProgram, int]] = {}
    for subgraph in plan.subgraphs:
        program = stage = None
        if subgraph.calls:
            program, stage = stage_of(subgraph, None if links else ahead)
            of.update({node: (program, index) for index, node in enumerate(subgraph.outputs)})
        places.update({node: (len(links), index) for index, node in enumerate(subgraph.outputs)})
        functions = [_function(call, numbers, columns, files) for call in subgraph.functions]
        links.append(Link(stage, program, range(len(subgraph.crossing)), functions))
    outputs = plan.device_outputs
    return ChainProgram(outputs, of), ChainedStage(links, columns, [places[node] for node in outputs])


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
