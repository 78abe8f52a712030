"""Runs one operator as a program, and calls Python functions. This file loads jax; debug mode imports it when it runs."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from jaxdali._feed.ring.columns import Column
from jaxdali._feed.ring.host_batch import HostBatch, HostColumn
from jaxdali._run.executor.affinity import decode_affinity
from jaxdali._run.executor.decode_failures import DecodeFailures
from jaxdali._run.executor.device_io.device_placement import OneDevice
from jaxdali._run.executor.device_io.intermediates import MadeColumn, host_samples
from jaxdali._run.executor.device_stage import DeviceStage
from jaxdali._run.executor.step import Step
from ..graph.call import Call
from ..operators.branch_batch import HostBranch
from ..operators.declaration import declaration_of
from ..planner.device import output_device
from ..planner.encoded_files import EncodedFiles
from ..planner.graph_decoding import takes_files
from ..planner.graph_program import GraphProgram
from ..planner.graph_recipes import Recipes
from ..planner.options import PipelineOptions
from ..planner.plan import Plan, note_site
from ..planner.subgraphs import Subgraph
from .eager_values import Value

__all__ = ["Computed", "call_python"]


class Computed:
    """A call of an operator, compiled by itself for the types and layouts of its first operands.

    Args:
        call: has a separate operand in each place, see `plain`.
        operands: those of the first iteration.
    """

    def __init__(
        self, call: Call, operands: Sequence[Value], options: PipelineOptions, seed: int, failures: DecodeFailures
    ):
        self._call = call
        self._files = EncodedFiles(call.inputs[0], [call], options) if takes_files(call) else None
        nodes = call.dependencies
        self._plan = Plan([], {node: k for k, node in enumerate(nodes)}, list(call.outputs), [call])
        device = output_device(self._plan, options, None)
        self._on_gpu = call.device != "cpu" and device.platform == "gpu"
        columns = [value.column.column for value in operands]
        wide = {number: value.wide for number, value in enumerate(operands) if value.wide is not None}
        # Only the bytes of files are known, whatever the source declares.
        of_any_form = set(range(len(nodes))) - ({0} if self._files is not None else set())
        largest = options.max_canvas_bytes // (3 * options.batch_size)
        recipes = Recipes([call], self._plan.column_of, call.outputs, largest, of_any_form)
        cpus = decode_affinity(options.num_threads, options.device_id) if options.set_affinity else ()
        self._program = GraphProgram(
            Subgraph([call], self._plan.column_of, call.outputs),
            recipes,
            columns,
            seed,
            options.num_threads or 0,
            cpus,
            decodes_whole=device.platform not in ("cpu", "gpu"),
            wide_columns=wide,
        )
        self._stage = DeviceStage(self._program, OneDevice(device), options.max_canvas_bytes, failures)

    def run(self, operands: Sequence[Value], step: Step) -> list[Value]:
        """Computes the outputs for a batch.

        Args:
            step: the position in the epoch; its batches say what draws are made from.

        Raises:
            DecodeError, SourceDataError: as outside of debug mode, but at once.
        """
        columns: list[HostColumn] = [value.column for value in operands]
        batch = HostBatch(step.epoch, step.iteration, step.first_sample, step.samples, columns, [])
        if self._files is not None:
            columns[0] = self._files.put(host_samples(operands[0].column, None))
            if (origin := operands[0].batch) is not None:
                batch.source, batch.position = origin.source, origin.position
        step = dataclasses.replace(step, batches=[batch, *step.batches])
        try:
            self._stage.prepare(step)
            self._stage.dispatch(step)
            self._stage.check(step)
        except Exception as error:
            note_site(error, self._plan, None)
            raise
        made = zip(self._call.outputs, step.outputs, self._program.layouts, self._program.wide, strict=True)
        return [self._value(node.name, data, shapes, layout, wide) for node, (data, shapes), layout, wide in made]

    def _value(self, name: str, data: Any, shapes: object, layout: str, wide: np.dtype | None) -> Value:
        own = None if shapes is None else np.asarray(jax.device_get(shapes))
        on_host = next(iter(data.devices())).platform == "cpu"
        column = MadeColumn(Column(name=name, declared_layout=layout), np.asarray(data) if on_host else data, own)
        return Value(column, computed=(data, shapes), wide=wide, on_gpu=self._on_gpu)

    def close(self) -> None:
        """Releases the slots."""
        if self._files is not None:
            self._files.close()


def call_python(call: Call, branch: HostBranch, operands: Sequence[Value], samples: int) -> list[Value]:
    """Calls a Python function on a batch and returns its outputs."""
    operator = declaration_of(call)
    inputs = [host_samples(value.column, value.wide) for value in operands]
    found = branch.compute(call, inputs, samples)
    same = operands[0].column.column.layout if operands else ""
    layouts = [same] * len(call.outputs) if operator.layouts is None else operator.layouts(call.params)
    columns = [
        Column(name=node.name, declared_layout=layout) for node, layout in zip(call.outputs, layouts, strict=True)
    ]
    made = zip(columns, found, strict=True)
    return [Value(MadeColumn.of_samples(column, batch, None)) for column, batch in made]
