from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._dali.graph.call import DataNode

class Gaussian:
    """Adds noise from a normal distribution to each number; DALI's operator. Integers are rounded half away from zero

    Arguments as of `jaxdali.fn.noise.gaussian`, each here or in the call.
    """
    def __init__(
        self,
        *,
        mean: float | np.ndarray | DataNode = ...,
        stddev: float | np.ndarray | DataNode = ...,
        seed: int | None = ...,
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
        mean: float | np.ndarray | DataNode = ...,
        stddev: float | np.ndarray | DataNode = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class SaltAndPepper:
    """Replaces random pixels with the brightest or the darkest level; DALI's operator.

    Arguments as of `jaxdali.fn.noise.salt_and_pepper`, each here or in the call.
    """
    def __init__(
        self,
        *,
        prob: float | np.ndarray | DataNode = ...,
        salt_vs_pepper: float | np.ndarray | DataNode = ...,
        salt_val: float | np.ndarray | DataNode | None = ...,
        pepper_val: float | np.ndarray | DataNode | None = ...,
        per_channel: bool = ...,
        seed: int | None = ...,
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
        prob: float | np.ndarray | DataNode = ...,
        salt_vs_pepper: float | np.ndarray | DataNode = ...,
        salt_val: float | np.ndarray | DataNode | None = ...,
        pepper_val: float | np.ndarray | DataNode | None = ...,
        per_channel: bool = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Shot:
    """Replaces each number with a draw from a Poisson distribution that has this number as its mean, in units of

    Arguments as of `jaxdali.fn.noise.shot`, each here or in the call.
    """
    def __init__(
        self,
        *,
        factor: float | np.ndarray | DataNode = ...,
        seed: int | None = ...,
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
        factor: float | np.ndarray | DataNode = ...,
        seed: int | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...
