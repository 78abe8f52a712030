from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.types import DALIDataType
from jaxdali._dali.graph.call import DataNode

class Beta:
    """Draws numbers from 0 to 1 from a beta distribution; DALI's `fn.random.beta`.

    Arguments as of `jaxdali.fn.random.beta`, each here or in the call.
    """
    def __init__(
        self,
        *,
        alpha: float | DataNode = ...,
        beta: float | DataNode = ...,
        shape: int | Sequence[int] | DataNode | None = ...,
        dtype: DALIDataType = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        shape_like: DataNode | None = None,
        *,
        alpha: float | DataNode = ...,
        beta: float | DataNode = ...,
        shape: int | Sequence[int] | DataNode | None = ...,
        dtype: DALIDataType = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Choice:
    """Draws one of several elements for each element of the output; DALI's `fn.random.choice`.

    Arguments as of `jaxdali.fn.random.choice`, each here or in the call.
    """
    def __init__(
        self,
        *,
        p: Sequence[float] | DataNode | None = ...,
        shape: int | Sequence[int] | DataNode | None = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        a: DataNode,
        shape_like: DataNode | None = None,
        *,
        p: Sequence[float] | DataNode | None = ...,
        shape: int | Sequence[int] | DataNode | None = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class CoinFlip:
    """Draws 1 with the given probability, otherwise 0; DALI's `fn.random.coin_flip`.

    Arguments as of `jaxdali.fn.random.coin_flip`, each here or in the call.
    """
    def __init__(
        self,
        *,
        probability: float | np.ndarray | DataNode = ...,
        shape: int | Sequence[int] | DataNode | None = ...,
        dtype: DALIDataType = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        shape_like: DataNode | None = None,
        *,
        probability: float | np.ndarray | DataNode = ...,
        shape: int | Sequence[int] | DataNode | None = ...,
        dtype: DALIDataType = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Normal:
    """Draws from a normal distribution; DALI's `fn.random.normal`. Integers are saturated to the range of `dtype`: 300

    Arguments as of `jaxdali.fn.random.normal`, each here or in the call.
    """
    def __init__(
        self,
        *,
        mean: float | np.ndarray | DataNode = ...,
        stddev: float | np.ndarray | DataNode = ...,
        shape: int | Sequence[int] | DataNode | None = ...,
        dtype: DALIDataType = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        shape_like: DataNode | None = None,
        *,
        mean: float | np.ndarray | DataNode = ...,
        stddev: float | np.ndarray | DataNode = ...,
        shape: int | Sequence[int] | DataNode | None = ...,
        dtype: DALIDataType = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Uniform:
    """Draws from [low, high), or one of `values`; DALI's `fn.random.uniform`. Integers are rounded float32 draws, and

    Arguments as of `jaxdali.fn.random.uniform`, each here or in the call.
    """
    def __init__(
        self,
        *,
        range: Sequence[float] | DataNode | None = ...,
        values: Sequence[float] | np.ndarray | DataNode | None = ...,
        shape: int | Sequence[int] | DataNode | None = ...,
        dtype: DALIDataType = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        shape_like: DataNode | None = None,
        *,
        range: Sequence[float] | DataNode | None = ...,
        values: Sequence[float] | np.ndarray | DataNode | None = ...,
        shape: int | Sequence[int] | DataNode | None = ...,
        dtype: DALIDataType = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...
