"""A pipeline's outputs: checks them against their declarations, and packs a finished batch."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from jaxdali._base.dtypes import NO_TYPE, DALIDataType, from_numpy_type
from jaxdali._run.executor.step import Step
from jaxdali.errors import ConfigError, ConfigIndexError, ConfigTypeError, GraphError, OutputError, check_integer
from ..graph.call import DataNode
from ..operators.shown_samples import shown_rows
from ..planner.options import PipelineOptions
from ..planner.plan import Plan
from ..tensors.backing import ArrayBacking, SlotBacking
from ..tensors.tensor_list import TensorListCPU, TensorListGPU

__all__ = ["Declared", "Packing", "output_lists"]


@dataclasses.dataclass(frozen=True)
class Declared:
    """The declared types, numbers of dimensions and layouts of outputs. Each is one value for all outputs, a tuple with
    one per output, or None if undeclared.

    Raises:
        ConfigError, ConfigTypeError: a value is not a type, a number of dimensions or a layout.
    """

    dtype: Any = None
    ndim: Any = None
    layout: Any = None

    @classmethod
    def of(cls, options: PipelineOptions) -> Declared:
        """Reads the options of a pipeline."""
        return cls(*(_checked(name, getattr(options, f"output_{name}")) for name in ("dtype", "ndim", "layout")))

    @functools.cached_property
    def nothing(self) -> bool:
        """Whether nothing is declared about any output."""
        return self.dtype is None and self.ndim is None and self.layout is None

    def check_count(self, outputs: int) -> None:
        """Raises GraphError if a tuple does not have one entry per output."""
        for name, value in dataclasses.asdict(self).items():
            if isinstance(value, tuple) and len(value) != outputs:
                raise GraphError(
                    f"Lengths of provided output descriptions do not match: output_{name} has {len(value)} values, and the "
                    f"pipeline returns {outputs} outputs; None leaves an output open"
                )

    def dtypes(self, outputs: int) -> list[DALIDataType | None]:
        return _each(self.dtype, outputs)

    def ndims(self, outputs: int) -> list[int | None]:
        return _each(self.ndim, outputs)

    def layouts(self, outputs: int) -> list[str | None]:
        return _each(self.layout, outputs)

    def check(self, index: int, dtype: object, ndim: int, layout: str) -> None:
        """Raises OutputError if output `index` of a batch differs from its declaration.

        Args:
            dtype: NumPy's type.
            ndim: that of a sample.
        """
        got = from_numpy_type(dtype) if self.dtype is not None else None
        for name, words, value, have in (
            ("dtype", "Data type", self.dtype, got),
            ("ndim", "Number of dimensions", self.ndim, ndim),
            ("layout", "Layout", self.layout, layout),
        ):
            want = value[index] if isinstance(value, tuple) else value
            # As in DALI, an empty layout means undeclared.
            if want not in (None, "") and want != have:
                raise OutputError(
                    f"{words} in the output_idx={index} does not match. Expected: {want}. Received: {have!s}. Change "
                    f"output_{name}= of the pipeline, or what it returns"
                )


class Packing:
    """Checks finished batches and packs them as lists of samples or as arrays.

    Args:
        program: a `ChainProgram`; None if the device computes nothing.
        declared: what the outputs must be.
        on_batch: is called with each batch; may be None.
        waits: wait until outputs are computed before they are handed out.
    """

    def __init__(
        self, plan: Plan, program: Any, declared: Declared, on_batch: Callable[[Step], None] | None, waits: bool
    ):
        self._plan = plan
        self._program = program
        self._declared = declared
        self._on_batch = on_batch
        self._waits = waits
        # The functions that make arrays from a batch, by (count, on_host).
        self._arrays: dict[tuple[int | None, bool], Callable[[Step], list[Any]]] = {}

    def lists(self, cuda_stream: object) -> Callable[[Step], tuple[TensorListCPU | TensorListGPU, ...]]:
        """Returns a function that makes one list per output, in order with a CUDA stream."""
        plan, program, look, waits = self._plan, self._program, self._checker(), self._waits

        def lists(ready: Step) -> tuple[TensorListCPU | TensorListGPU, ...]:
            if waits and ready.outputs is not None:
                _wait_for(ready.outputs)
            look(ready)
            made = output_lists(plan, program, ready)
            _order_behind(made, cuda_stream)
            return made

        return lists

    def arrays(
        self, count: int | None, on_host: bool, choose_device: Callable[[], object]
    ) -> Callable[[Step], list[Any]]:
        """Returns a function that makes arrays of the first outputs, see `Pipeline.run_arrays`.

        Args:
            choose_device: returns the `jax.Device` for them.

        Raises:
            ConfigIndexError: there are fewer outputs.
        """
        if self._arrays.keys() != {(count, on_host)}:
            # Made once for all batches.
            self._arrays = {(count, on_host): self._packer(count, on_host, choose_device)}
        return self._arrays[count, on_host]

    def _packer(
        self, count: int | None, on_host: bool, choose_device: Callable[[], Any]
    ) -> Callable[[Step], list[Any]]:
        nodes = self._plan.outputs[:count]
        if count is not None and len(nodes) < count:
            raise ConfigIndexError(f"{count} outputs were asked for, but the pipeline has {len(nodes)}")
        from ..planner.device import output_arrays

        plan, program, look, device, waits = self._plan, self._program, self._checker(), choose_device(), self._waits

        def arrays(ready: Step) -> list[Any]:
            look(ready)
            found = output_arrays(plan, program, nodes, ready, device, on_host=on_host)
            if waits:
                _wait_for(found)
            return found

        return arrays

    def _checker(self) -> Callable[[Step], None]:
        """Returns a function that checks what is handed out, and passes it on to `on_batch`."""
        plan, program, declared, on_batch = self._plan, self._program, self._declared, self._on_batch

        def look(ready: Step) -> None:
            _check_outputs(plan, program, ready, declared)
            if on_batch is not None:
                on_batch(ready)

        return look


def output_lists(plan: Plan, program: object, ready: Step) -> tuple[TensorListCPU | TensorListGPU, ...]:
    """Returns one list per output. Outputs that come from a source stay in its slot; what a GPU computed stays on the
    GPU.

    Args:
        program: a `ChainProgram`; None if the device computes nothing.
    """
    results: list[TensorListCPU | TensorListGPU] = []
    streams = [batch.stream for batch in ready.batches if batch.stream is not None]
    # What was computed from several readers' samples has no single file.
    only = streams[0] if len(streams) == 1 else None
    for node, made, layout, dtype in _made(plan, program, ready):
        if node in plan.column_of:
            results.append(TensorListCPU(SlotBacking(made), layout, stream=_stream_of(ready, made)))
        else:
            data, shapes = made
            stream: Any = only and (_Shown(only[0], only[1], node), only[1])
            if dtype != data.dtype:
                data = _widened(data, dtype)
            on_device = node.device != "cpu" and next(iter(data.devices())).platform == "gpu"
            results.append(
                (TensorListGPU if on_device else TensorListCPU)(ArrayBacking(data, shapes), layout, stream=stream)
            )
    return tuple(results)


@dataclasses.dataclass(frozen=True)
class _Shown:
    """A source's names for the samples of a computed output: those of all that it shows, as DALI joins them."""

    source: Any
    first: int
    node: DataNode

    def source_info(self, position: int) -> str | None:
        rows = shown_rows(self.node, position - self.first) or ()
        return ";".join(filter(None, (self.source.source_info(self.first + row) for row in rows)))


def _order_behind(lists: tuple[object, ...], cuda_stream: object) -> None:
    """Makes later work in a CUDA stream wait for the lists that a GPU computes. None if the caller waits in another
    way.
    """
    on_gpu = [made for made in lists if isinstance(made, TensorListGPU)]
    if cuda_stream is not None and on_gpu:
        from jaxdali._run.executor.device_io.cuda_streams import let_wait

        let_wait(cuda_stream, [array for made in on_gpu for array in made.device_arrays])


def _stream_of(ready: Step, column: object) -> Any:
    # No generator expression, whose function would hold the column, and with it the slot, while a traceback is kept.
    for batch in ready.batches:
        for one in batch.columns:
            if one is column:
                return batch.stream
    return None


def _wait_for(arrays: object) -> None:
    """Waits until the device has computed them."""
    import jax

    jax.block_until_ready(arrays)


def _check_outputs(plan: Plan, program: object, ready: Step, declared: Declared) -> None:
    """Raises OutputError if an output differs from its declaration."""
    if declared.nothing:
        return
    for index, (node, made, layout, dtype) in enumerate(_made(plan, program, ready)):
        declared.check(index, dtype, made.ndim if node in plan.column_of else made[0].ndim - 1, layout)


def _made(plan: Plan, program: Any, ready: Step) -> Iterator[tuple[DataNode, Any, str, np.dtype]]:
    """Yields for each output its node, a `HostColumn` or `(data, shapes)`, its layout, and its type, which may be a
    64-bit one that JAX lacks.
    """
    columns = ready.columns
    computed = iter(())
    if ready.outputs is not None:
        computed = iter(zip(ready.outputs, program.forms, strict=True))
    for node in plan.outputs:
        if node in plan.column_of:
            column = columns[plan.column_of[node]]
            yield node, column, column.column.layout, column.dtype
        else:
            made, (layout, wide) = next(computed)
            yield node, made, layout, made[0].dtype if wide is None else wide


def _widened(data: Any, dtype: np.dtype) -> Any:
    """Converts an array to a 64-bit type. JAX can hold such arrays without x64, but computes nothing with them."""
    import jax

    with jax.enable_x64(True):
        return jax.lax.convert_element_type(data, dtype)


def _each(value: object, outputs: int) -> list[Any]:
    return list(value) if isinstance(value, tuple) else [value] * outputs


def _checked(name: str, value: object) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_checked(name, entry) for entry in value)
    if value is None:
        return None
    argument = f"output_{name}"
    if name == "dtype":
        if not isinstance(value, DALIDataType):
            raise _wrong_type(argument, "a type of jaxdali.types, such as types.UINT8", value)
        if value == NO_TYPE:
            raise ConfigError(f"`{argument}` can't be a types.NO_TYPE; None leaves an output open")
        return value
    if name == "ndim":
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise _wrong_type(argument, "an int", value)
        if value < 0:
            raise ConfigError(f"`{argument}` must be non-negative. Found value: {value}")
        return check_integer(argument, value, 0)
    if not isinstance(value, str):
        raise _wrong_type(argument, "a string such as 'HWC'", value)
    return value


def _wrong_type(argument: str, wanted: str, value: object) -> ConfigTypeError:
    return ConfigTypeError(
        f"`{argument}` must be either: {wanted}, a list of these or None. Found type: {type(value).__name__}"
    )
