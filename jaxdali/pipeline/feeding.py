"""Handing a pipeline the batches of those external sources that have no source."""

from __future__ import annotations

from typing import Any

from ..errors import StateError
from .drawn import PipelineState
from .inputs import feed_input, find_input
from .node import DataNode
from .schedule import Scheduled

__all__ = ["Feeding"]


class Feeding(Scheduled):
    """The part of a `Pipeline` that is fed."""

    def feed_input(
        self,
        data_node: str | DataNode,
        data: Any,
        layout: str | None = None,
        cuda_stream: Any = None,
        use_copy_kernel: bool = False,
    ) -> None:
        """Hands a batch to an external source that has no source: for the next `run` that nothing was fed for yet. Any
        thread may do so.

        Args:
            data_node: the node, or its name.
            data: an array `[n, ...]` or a list of samples, as a source of whole batches returns them. For an external source
                with device="gpu" also in GPU memory: of CuPy or torch, a `jax.Array`, a TensorListGPU, or anything with
                `__dlpack__` or `__cuda_array_interface__`.
            layout: of the samples: what the external source declares. Where it declares none, that of the first batch, which
                has to be fed before `build`. None: likewise.
            cuda_stream: of data in GPU memory the stream whose work up to now has made them: a handle (0: the default
                stream; -1: one of the pipeline's own, and the call waits), a stream of CuPy or torch, or an object with
                `__cuda_stream__`. They may be changed again by later work in it. None: what the external source was given,
                else the current stream of CuPy or torch; data of others are waited for.
            use_copy_kernel: an array in GPU memory is copied by a kernel.

        Raises:
            NoInputError: there is no such node, or it has a source.
            ConfigError: another layout than the node's, or no stream.
            SourceDataError: `data` is no batch.
        """
        if self._state is PipelineState.CLOSED:
            raise StateError("cannot feed_input: the pipeline is closed; make a new one")
        declares, size = self._state is PipelineState.DEFINED, self.options.batch_size
        feed_input(self._draw(), data_node, data, layout, size, declares, cuda_stream, use_copy_kernel)

    def input_feed_count(self, input_name: str) -> int:
        """How many batches have to be fed to that external source before `run` returns: 1. What is fed beyond is computed
        ahead. Raises as `feed_input`.
        """
        find_input(self._draw(), input_name)
        return 1
