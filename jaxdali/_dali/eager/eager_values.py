"""What a node of debug mode holds: a computed batch."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from jaxdali._base.dtypes import DALIDataType
from jaxdali._feed.ring.columns import Column
from jaxdali._feed.ring.host_batch import HostBatch, HostColumn
from jaxdali._feed.source.collate import as_sample
from jaxdali._run.executor.device_io.intermediates import MadeColumn
from jaxdali.errors import ConfigError, ConfigTypeError, SourceDataError
from ..graph.call import Call, DataNode
from ..readers.indexed import IndexedReader
from ..tensors.backing import ArrayBacking, SlotBacking
from ..tensors.tensor_list import TensorListCPU, TensorListGPU

__all__ = ["DataNodeDebug", "Value", "given_value", "named_value"]

Samples = TensorListCPU | TensorListGPU


@dataclasses.dataclass(frozen=True, eq=False)
class Value:
    """A batch.

    Attributes:
        column: the batch as the next operator takes it.
        batch: the source's batch that it came with; None if it was computed.
        computed: a program's output, `(data, shapes)`; None if it came from the host.
        wide: the 64-bit type of its numbers if JAX has them in 32 bits, else None.
        on_gpu: it is handed out on the GPU where it is.
    """

    column: HostColumn
    batch: HostBatch | None = None
    computed: tuple[Any, Any] | None = None
    wide: np.dtype | None = None
    on_gpu: bool = False

    @functools.cached_property
    def samples(self) -> Samples:
        """The batch as users see it."""
        layout = self.column.column.layout
        if self.computed is None:
            return self._of_host(layout)
        data, shapes = self.computed
        if self.wide is not None:
            data = np.asarray(data).astype(self.wide)
            return TensorListCPU(ArrayBacking(data, shapes), layout)
        return (TensorListGPU if self.on_gpu else TensorListCPU)(ArrayBacking(data, shapes), layout)

    def _of_host(self, layout: str) -> Samples:
        if isinstance(self.column, MadeColumn):
            held = self.column.device_batch
            return TensorListCPU(ArrayBacking(held.data, held.shapes), layout)
        return TensorListCPU(SlotBacking(self.column), layout, stream=self.batch and self.batch.stream)

    @property
    def meta(self) -> dict[str, object]:
        """What must be the same in each iteration, under DALI's names."""
        dtype = self.column.dtype if self.wide is None else self.wide
        return {"layout": self.column.column.layout, "dtype": dtype, "ndim": self.column.ndim}


class DataNodeDebug(DataNode):
    """A node whose batch is computed already; DALI's class of that name.

    Operators take it like any other node, and their results are computed at once, too.
    """

    def __init__(self, call: Call, index: int, numbered: bool, value: Value):
        super().__init__(call, index, numbered)
        self._value = value

    def get(self) -> Samples:
        """Returns the batch: a TensorListCPU, or a TensorListGPU on a GPU. `get().at(i)` is sample i,
        `get().as_array()` all.
        """
        return self._value.samples

    def shape(self, *, dtype: DALIDataType | None = None) -> Any:
        """Returns the shape of each sample as a list of tuples. With `dtype=`, returns a node with the shapes, as
        outside of debug mode.
        """
        if dtype is None:
            return self._value.samples.shape()
        return super().shape(dtype=dtype)

    def __bool__(self) -> bool:
        raise ConfigTypeError(
            f"the node {self.name!r} holds a batch, which is neither true nor false. Ask for a sample, such as "
            "`node.get().at(0)`; or let each sample take its branch, under @pipeline_def(enable_conditionals=True)"
        )

    def __repr__(self) -> str:
        data = str(self._value.samples).replace("\n", "\n         ")
        return f'DataNodeDebug(\n    name="{self.name}",\n    data={data})'

    __str__ = __repr__


def named_value(name: str, value: Value, output: int) -> Value:
    """Returns the names of a reader's samples."""
    assert value.batch is not None and value.batch.stream is not None
    source, first = value.batch.stream
    reader = cast(IndexedReader, source)
    names = [reader.name_at(first + row, output) for row in range(len(value.column))]
    return Value(MadeColumn.of_samples(Column(name=name), names, None))


def given_value(name: str, samples: Any) -> Value:
    """Converts a batch that a user hands to an operator in place of a node: a TensorList, or a list of arrays, one for
    each sample.

    Raises:
        ConfigError: the arrays do not form a batch.
    """
    layout = ""
    if isinstance(samples, TensorListCPU | TensorListGPU):
        layout = samples.layout()
        samples = samples.as_cpu()
        arrays: Sequence[Any] = [samples.at(index) for index in range(len(samples))]
    else:
        arrays = samples
    try:
        found = [np.ascontiguousarray(as_sample(one)).reshape(np.shape(one)) for one in arrays]
    except SourceDataError as error:
        raise ConfigError(f"{name} is not a batch: {error}") from error
    for number, one in enumerate(found):
        if (one.dtype, one.ndim) != (found[0].dtype, found[0].ndim):
            raise ConfigError(
                f"the samples of {name} must have one type and number of axes: the first is {found[0].dtype} with "
                f"{found[0].ndim}, number {number} is {one.dtype} with {one.ndim}"
            )
    return Value(MadeColumn.of_samples(Column(name=name, declared_layout=layout), found, None))
