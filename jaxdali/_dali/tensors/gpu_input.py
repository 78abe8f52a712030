"""Takes the batches given to an external source with device="gpu"."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

import numpy as np

from jaxdali._base.dtypes import NO_TYPE, DALIDataType, from_numpy_type
from jaxdali._feed.source.collate import as_batch, as_sample
from jaxdali._feed.source.gpu_batches import Held
from jaxdali._run.executor.device_io.padding import check_alike, padded
from jaxdali.errors import SourceDataError
from .tensor import TensorGPU
from .tensor_list import TensorListGPU

__all__ = ["Holder", "lies_on_gpu"]

_CUDA = (2, 13)  # DLPack's kDLCUDA and kDLCUDAManaged


def lies_on_gpu(value: Any) -> bool:
    """Whether a batch, an array or a list of samples, is in GPU memory.

    Raises:
        SourceDataError: some samples are, others are not.
    """
    if isinstance(value, list | tuple):
        places = {lies_on_gpu(sample) for sample in value}
        if len(places) > 1:
            raise SourceDataError("Mixed input types are not supported: some samples are in GPU memory, others are not")
        return places == {True}
    if isinstance(value, TensorListGPU):
        return True
    if hasattr(value, "__dlpack_device__"):
        return int(value.__dlpack_device__()[0]) in _CUDA
    return hasattr(value, "__cuda_array_interface__")


@dataclasses.dataclass(frozen=True)
class Holder:
    """Keeps batches of one output where they are, or copies of them.

    Attributes:
        dtype, ndim, layout: the declared ones; None: not declared.
        no_copy: keeps the batches themselves.
        cuda_stream, use_copy_kernel: see `executor.device_io.gpu_import`.
    """

    dtype: DALIDataType | None
    ndim: int | None
    layout: str | None
    no_copy: bool
    cuda_stream: object
    use_copy_kernel: bool

    def __call__(self, value: object, cuda_stream: object = None, use_copy_kernel: bool = False) -> Held:
        """Returns a batch in the form that the device function takes.

        Args:
            cuda_stream: used instead of the source's own stream; None: the source's own.

        Raises:
            SourceDataError: it is not a batch, or does not match the declaration.
            ConfigError, BackendUnavailable: see `executor.device_io.gpu_import`.
        """
        if isinstance(value, TensorListGPU):
            value = value.as_tensor() if value.is_dense_tensor() else list(value)
        if lies_on_gpu(value):
            from jaxdali._run.executor.device_io.gpu_import import (
                adopt,  # loads jax, which a user with GPU arrays needs anyway
            )

            if isinstance(value, TensorGPU):
                value = value.__jax_array__()
            stream = self.cuda_stream if cuda_stream is None else cuda_stream
            held = adopt(value, stream, not self.no_copy, use_copy_kernel or self.use_copy_kernel)
        else:
            held = self._of_host(as_batch(value))
        self._check(held)
        return held

    def _of_host(self, batch: np.ndarray | Iterable[object]) -> Held:
        if isinstance(batch, np.ndarray):
            if len(batch) == 0:
                raise SourceDataError('a batch of an external_source with device="gpu" must have at least one sample')
            return Held(batch if self.no_copy else batch.copy())
        samples = [as_sample(sample) for sample in batch]
        if not samples:
            raise SourceDataError('a batch of an external_source with device="gpu" must have at least one sample')
        check_alike(samples)
        return Held(*padded(samples, samples[0].dtype))

    def _check(self, held: Held) -> None:
        rank = held.data.ndim - 1
        if self.dtype not in (None, NO_TYPE) and from_numpy_type(held.data.dtype) != self.dtype:
            raise SourceDataError(
                f"expected data of type {self.dtype.name} and got: {from_numpy_type(held.data.dtype).name}. Return "
                f"{self.dtype.name} from the source, or change the dtype= of the external_source."
            )
        demanded = self.ndim if self.ndim is not None else (len(self.layout or "") or None)
        if demanded is not None and rank != demanded:
            what = f"The layout '{self.layout}' cannot describe {rank}-dimensional data: " if self.layout else ""
            raise SourceDataError(f"{what}expected data with {demanded} dimensions and got {rank}")
