"""Iterations of debug mode: each operator is computed as soon as it is written."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jaxdali._base.interruptions import is_interruption
from jaxdali._feed.ring.host_batch import HostBatch
from jaxdali._run.executor.decode_failures import DecodeFailures
from jaxdali._run.executor.step import Step
from jaxdali.errors import StateError
from ..graph.call import Call, DataNode, Params
from ..graph.graph import Graph
from ..graph.scope import Scope
from ..operators.branch_batch import HostBranch
from ..operators.declaration import Operator, declaration_of
from ..planner.options import PipelineOptions
from ..tensors.tensor import TensorCPU, TensorGPU
from ..tensors.tensor_list import TensorListCPU, TensorListGPU
from .eager_sources import EagerSource, NothingFed
from .eager_values import DataNodeDebug, Value, given_value, named_value
from .first_iteration import Written, limits_within, plain, raise_of_order

__all__ = ["EagerRun"]

# Stands for the call behind a batch that a user hands in.
_GIVEN = Operator(name="given", namespace="")


class EagerRun:
    """What a pipeline in debug mode keeps between iterations.

    Args:
        begun: is called with the graph of each source, which may be fed, when the source is first written.

    Attributes:
        sources: the sources that were written, in order.
        epoch: the next epoch.
        iteration: the next iteration of the epoch.
    """

    def __init__(self, options: PipelineOptions, seed: int, failures: DecodeFailures, begun: Callable[[Graph], None]):
        self.sources: dict[int, EagerSource] = {}
        self.epoch = 0
        self.iteration = 0
        self._options = options
        self._seed = seed
        self._failures = failures
        self._begun = begun
        self._written: list[Written] = []
        self._complete = False  # whether an iteration was finished
        self._programs: dict[int, tuple[Any, Any]] = {}  # each with the limits that it was compiled for
        self._branches: dict[int, HostBranch] = {}
        self._scope: Scope | None = None
        self._stream: HostBatch | None = None
        self._samples: int | None = None
        self._origin = ""  # the call that determined the number of samples

    # AN ITERATION -----------------------------------------------------------------------------------------------------

    def begin(self, scope: Scope) -> None:
        """Starts the next iteration: what is written in the scope from now on belongs to it."""
        self._scope, scope.eager = scope, self
        self._stream, self._samples = None, None

    def end(self) -> None:
        """Ends the iteration. Each later one must write the same."""
        self._complete = True
        self.iteration += 1

    def fail(self, error: BaseException) -> None:
        """Ends the iteration after an error. The next one gets the next batch, unless this one is still to be fed, or
        was interrupted.
        """
        if not (isinstance(error, NothingFed | StopIteration) or is_interruption(error)):
            self.iteration += 1

    def given(self, operator: Any, inputs: Sequence[Any], arguments: Params) -> tuple[Any, dict[str, Any]]:
        """Replaces batches that the user hands in by nodes, in an operator's inputs and arguments."""
        display_name = operator.display_name
        found = [self._node(f"input {k} of {display_name}", value, operator) for k, value in enumerate(inputs)]
        named = {name: self._argument(f"{display_name}({name}=)", value) for name, value in arguments.items()}
        return found, named

    def _argument(self, word: str, value: object) -> Any:
        # A single array is a constant.
        return value if isinstance(value, np.ndarray) else self._node(word, value, None)

    def _node(self, word: str, value: Any, operator: Any) -> Any:
        if isinstance(value, np.ndarray) and operator is not None and value.ndim:
            value = list(value)
        tensors = isinstance(value, TensorListCPU | TensorListGPU)
        arrays = isinstance(value, list) and value and all(isinstance(one, _ARRAYS) for one in value)
        if not (tensors or arrays):
            return value
        call = Call(operator=_GIVEN, params={}, name=word, site="")
        node = DataNodeDebug(call, 0, False, given_value(word, value))
        call.outputs = [node]
        return node

    def made(self, call: Call) -> None:
        """Computes a call that was written, and stores the results in its nodes.

        Raises:
            StateError: an earlier iteration wrote something else in its place.
        """
        assert self._scope is not None
        number = len(self._scope.calls) - 1
        operands = [_held(node) for node in call.dependencies]
        self._check_sizes(call, operands)
        self._compare_or_record(number, call, operands)
        values = self._values(number, call, operands)
        outputs = zip(call.outputs, values, strict=True)
        call.outputs = [DataNodeDebug(call, node.index, node.numbered, value) for node, value in outputs]

    def _compare_or_record(self, number: int, call: Call, operands: Sequence[Value]) -> None:
        """Compares a call with the one that was written there before, or records it."""
        if self._complete:
            if number >= len(self._written):
                raise_of_order(call)
            self._written[number].check(call, operands)
            return
        # No iteration was finished yet: the next one may be written differently, and its sources keep their position.
        if number < len(self._written) and not self._written[number].is_again(call):
            self._forget(number)
        if number < len(self._written):
            self._forget_program(number)
            self._written[number] = Written.of(call, operands)
        else:
            self._written.append(Written.of(call, operands))

    def _forget(self, number: int) -> None:
        del self._written[number:]
        for later in [key for key in self.sources if key >= number]:
            self.sources.pop(later).close()
        for later in [key for key in (*self._programs, *self._branches) if key >= number]:
            self._forget_program(later)

    def _forget_program(self, number: int) -> None:
        self._branches.pop(number, None)
        if number in self._programs:
            self._programs.pop(number)[0].close()

    def _values(self, number: int, call: Call, operands: Sequence[Value]) -> list[Value]:
        operator = declaration_of(call)
        if call.source is not None:
            return self._taken(number, call)
        samples = self._known_samples(call)
        if operator.sample_name_of is not None and (origin := operator.sample_name_of(call)) is not None:
            return [named_value(call.label, _held(origin), origin.index)]
        if operator.on_host is not None:
            from .operator_program import call_python

            return call_python(call, self._branches.setdefault(number, HostBranch()), operands, samples)
        limits = limits_within(call, operands)
        if number in self._programs and self._programs[number][1] != limits:
            self._forget_program(number)
        if number not in self._programs:
            from .operator_program import Computed  # loads jax

            own = Computed(plain(call, limits), operands, self._options, self._seed, self._failures)
            self._programs[number] = own, limits
        return self._programs[number][0].run(operands, self._step(samples))

    # SOURCES ----------------------------------------------------------------------------------------------------------

    def _taken(self, number: int, call: Call) -> list[Value]:
        assert self._scope is not None
        if number not in self.sources:
            self.sources[number] = EagerSource(call, self._scope, self._options, self._seed)
            self._begun(self.sources[number].graph)
        values = self.sources[number].take(self.iteration)
        for index, value in enumerate(values):
            self._agree(call, len(value.column), index)
        batch = values[0].batch
        if batch is not None and batch.stream is not None and self._stream is None:
            self._stream = batch
        return values

    def _agree(self, call: Call, samples: int, index: int) -> None:
        if self._samples is None:
            self._samples, self._origin = samples, call.description
        if samples != self._samples:
            if index and self._origin == call.description:
                raise StateError(
                    f"External source must return outputs with consistent batch size. Output {index} has batch size = "
                    f"{samples}, previous batch size = {self._samples}"
                )
            raise StateError(
                "Batch size must be uniform across an iteration. External Source operator returned batch size: "
                f"{samples}, expected: {self._samples}, of {self._origin}. If batches differ in size, call all "
                "external sources first, before other operators"
            )

    def _check_sizes(self, call: Call, operands: Sequence[Value]) -> None:
        for number, value in enumerate(operands):
            samples = len(value.column)
            if self._samples is None:
                self._samples, self._origin = samples, call.description
            if samples != self._samples:
                raise StateError(
                    f"Batch size must be uniform across an iteration. Input {number} for operator '{call.operator.name}' "
                    f"has batch size = {samples}. Expected batch size = {self._samples}, of {self._origin}"
                )

    def _known_samples(self, call: Call) -> int:
        if self._samples is None:
            self._samples, self._origin = self._options.batch_size, call.description
        return self._samples

    def _step(self, samples: int) -> Step:
        """Returns the position of this iteration and what its draws are made from: a reader's numbers, if a reader was
        written before.
        """
        first = self.iteration * self._options.batch_size
        told = [] if self._stream is None else [dataclasses.replace(self._stream, columns=[])]
        return Step(self.epoch, self.iteration, first, samples, told)

    # EPOCHS -----------------------------------------------------------------------------------------------------------

    @property
    def endless(self) -> bool:
        """Whether all data come from readers."""
        return bool(self.sources) and all(source.endless for source in self.sources.values())

    def restart(self, goes_on: bool) -> None:
        """Begins the next epoch.

        Args:
            goes_on: see `Session.reset`.
        """
        for source in self.sources.values():
            source.restart(self.epoch + 1, self.iteration, goes_on)
        self.epoch, self.iteration = self.epoch + 1, 0

    def close(self) -> None:
        """Releases what it holds."""
        self._forget(0)


_ARRAYS = (np.ndarray, np.generic, TensorCPU, TensorGPU)


def _held(node: DataNode) -> Value:
    if not isinstance(node, DataNodeDebug):
        raise StateError(
            f"{node!r} was not made in this iteration, and holds no batch; in debug mode, call operators in the "
            "pipeline's function"
        )
    return node._value
