from collections.abc import Sequence
from typing import Any

from jaxdali._base.types import DALIDataType
from jaxdali._dali.graph.call import DataNode

class Max:
    """Computes the maximum; DALI's `fn.reductions.max`.

    Arguments as of `jaxdali.fn.reductions.max`, each here or in the call.
    """
    def __init__(
        self,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        keep_dims: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        keep_dims: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Mean:
    """Computes the mean; DALI's `fn.reductions.mean`.

    Arguments as of `jaxdali.fn.reductions.mean`, each here or in the call.
    """
    def __init__(
        self,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        keep_dims: bool = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        keep_dims: bool = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class MeanSquare:
    """Computes the mean of the squares; DALI's `fn.reductions.mean_square`.

    Arguments as of `jaxdali.fn.reductions.mean_square`, each here or in the call.
    """
    def __init__(
        self,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        keep_dims: bool = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        keep_dims: bool = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Min:
    """Computes the minimum; DALI's `fn.reductions.min`.

    Arguments as of `jaxdali.fn.reductions.min`, each here or in the call.
    """
    def __init__(
        self,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        keep_dims: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        keep_dims: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class RMS:
    """Computes the root of the mean of the squares; DALI's `fn.reductions.rms`.

    Arguments as of `jaxdali.fn.reductions.rms`, each here or in the call.
    """
    def __init__(
        self,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        keep_dims: bool = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        keep_dims: bool = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class StdDev:
    """Computes the standard deviation, the root of the mean square of the distances from a mean, as FLOAT; DALI's

    Arguments as of `jaxdali.fn.reductions.std_dev`, each here or in the call.
    """
    def __init__(
        self,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        keep_dims: bool = ...,
        ddof: int = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        mean: DataNode,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        keep_dims: bool = ...,
        ddof: int = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Sum:
    """Computes the sum; DALI's `fn.reductions.sum`.

    Arguments as of `jaxdali.fn.reductions.sum`, each here or in the call.
    """
    def __init__(
        self,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        keep_dims: bool = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        keep_dims: bool = ...,
        dtype: DALIDataType | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Variance:
    """Computes the variance, the mean square of the distances from a mean, as FLOAT; DALI's `fn.reductions.variance`.

    Arguments as of `jaxdali.fn.reductions.variance`, each here or in the call.
    """
    def __init__(
        self,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        keep_dims: bool = ...,
        ddof: int = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        mean: DataNode,
        *,
        axes: int | Sequence[int] | None = ...,
        axis_names: str | None = ...,
        keep_dims: bool = ...,
        ddof: int = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...
