from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._dali.graph.call import DataNode

class Combine:
    """Combines several affine maps, applied one after the other, into one, `float32[d, d + 1]`; DALI's operator.

    Arguments as of `jaxdali.fn.transforms.combine`, each here or in the call.
    """
    def __init__(
        self,
        *,
        reverse_order: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        first: DataNode,
        *others: DataNode,
        reverse_order: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Crop:
    """Makes maps from one box to another, `float32[d, d + 1]`; DALI's operator. See `jaxdali.image.affine.crop`.

    Arguments as of `jaxdali.fn.transforms.crop`, each here or in the call.
    """
    def __init__(
        self,
        *,
        from_start: float | Sequence[float] | DataNode = ...,
        from_end: float | Sequence[float] | DataNode = ...,
        to_start: float | Sequence[float] | DataNode = ...,
        to_end: float | Sequence[float] | DataNode = ...,
        absolute: bool = ...,
        reverse_order: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        maps: DataNode | None = None,
        *,
        from_start: float | Sequence[float] | DataNode = ...,
        from_end: float | Sequence[float] | DataNode = ...,
        to_start: float | Sequence[float] | DataNode = ...,
        to_end: float | Sequence[float] | DataNode = ...,
        absolute: bool = ...,
        reverse_order: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Rotation:
    """Makes maps that rotate, `float32[2, 3]`, or `[3, 4]` with `axis`; DALI's operator. See

    Arguments as of `jaxdali.fn.transforms.rotation`, each here or in the call.
    """
    def __init__(
        self,
        *,
        angle: float | np.ndarray | DataNode = ...,
        axis: float | Sequence[float] | DataNode | None = ...,
        center: float | Sequence[float] | DataNode | None = ...,
        reverse_order: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        maps: DataNode | None = None,
        *,
        angle: float | np.ndarray | DataNode = ...,
        axis: float | Sequence[float] | DataNode | None = ...,
        center: float | Sequence[float] | DataNode | None = ...,
        reverse_order: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Scale:
    """Makes maps that scale, `float32[d, d + 1]`; DALI's operator. See `jaxdali.image.affine.scaling`.

    Arguments as of `jaxdali.fn.transforms.scale`, each here or in the call.
    """
    def __init__(
        self,
        *,
        scale: float | Sequence[float] | DataNode = ...,
        center: float | Sequence[float] | DataNode | None = ...,
        ndim: int | None = ...,
        reverse_order: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        maps: DataNode | None = None,
        *,
        scale: float | Sequence[float] | DataNode = ...,
        center: float | Sequence[float] | DataNode | None = ...,
        ndim: int | None = ...,
        reverse_order: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Shear:
    """Makes maps that shear, `float32[d, d + 1]`; DALI's operator. See `jaxdali.image.affine.shear`.

    Arguments as of `jaxdali.fn.transforms.shear`, each here or in the call.
    """
    def __init__(
        self,
        *,
        shear: Sequence[float] | DataNode | None = ...,
        angles: Sequence[float] | DataNode | None = ...,
        center: float | Sequence[float] | DataNode | None = ...,
        reverse_order: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        maps: DataNode | None = None,
        *,
        shear: Sequence[float] | DataNode | None = ...,
        angles: Sequence[float] | DataNode | None = ...,
        center: float | Sequence[float] | DataNode | None = ...,
        reverse_order: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Translation:
    """Makes maps that add an offset, `float32[d, d + 1]`; DALI's operator. See `jaxdali.image.affine.translation`.

    Arguments as of `jaxdali.fn.transforms.translation`, each here or in the call.
    """
    def __init__(
        self,
        *,
        offset: float | Sequence[float] | DataNode = ...,
        reverse_order: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        maps: DataNode | None = None,
        *,
        offset: float | Sequence[float] | DataNode = ...,
        reverse_order: bool = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...
