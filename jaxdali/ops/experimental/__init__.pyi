from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from jaxdali._base.types import DALIInterpType
from jaxdali._dali.graph.call import DataNode
from .. import AudioResample as AudioResample
from .. import Debayer as Debayer
from .. import Equalize as Equalize
from .. import Filter as Filter
from .. import PeekImageShape as PeekImageShape
from .. import TensorResize as TensorResize
from . import decoders as decoders
from . import inputs as inputs
from . import readers as readers

class Dilate:
    """The largest of each pixel's neighbours, by channel; DALI's operator on GPUs. See `jaxdali.image.dilate`.

    Arguments as of `jaxdali.fn.experimental.dilate`, each here or in the call.
    """
    def __init__(
        self,
        *,
        mask_size: int | Sequence[int] | DataNode = ...,
        anchor: int | Sequence[int] | DataNode = ...,
        iterations: int = ...,
        border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] = ...,
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
        mask_size: int | Sequence[int] | DataNode = ...,
        anchor: int | Sequence[int] | DataNode = ...,
        iterations: int = ...,
        border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Erode:
    """The smallest of each pixel's neighbours, by channel; DALI's operator on GPUs. See `jaxdali.image.erode`.

    Arguments as of `jaxdali.fn.experimental.erode`, each here or in the call.
    """
    def __init__(
        self,
        *,
        mask_size: int | Sequence[int] | DataNode = ...,
        anchor: int | Sequence[int] | DataNode = ...,
        iterations: int = ...,
        border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] = ...,
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
        mask_size: int | Sequence[int] | DataNode = ...,
        anchor: int | Sequence[int] | DataNode = ...,
        iterations: int = ...,
        border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class MedianBlur:
    """The median of each pixel's neighbours, by channel; DALI's operator on GPUs.

    Arguments as of `jaxdali.fn.experimental.median_blur`, each here or in the call.
    """
    def __init__(
        self,
        *,
        window_size: int | Sequence[int] | DataNode = ...,
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
        window_size: int | Sequence[int] | DataNode = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class Remap:
    """Moves pixels according to two maps, with zeros outside of images; DALI's operator. See `jaxdali.image.remap`.

    Arguments as of `jaxdali.fn.experimental.remap`, each here or in the call.
    """
    def __init__(
        self,
        *,
        interp: DALIInterpType = ...,
        pixel_origin: Literal["corner", "center"] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        mapx: DataNode,
        mapy: DataNode,
        *,
        interp: DALIInterpType = ...,
        pixel_origin: Literal["corner", "center"] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...

class WarpPerspective:
    """Moves pixels by a perspective map, for example to show a photographed page from the front; DALI's operator.

    Arguments as of `jaxdali.fn.experimental.warp_perspective`, each here or in the call.
    """
    def __init__(
        self,
        *,
        matrix: Sequence[float] | np.ndarray | DataNode | None = ...,
        size: float | Sequence[float] | DataNode | None = ...,
        inverse_map: bool = ...,
        border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] = ...,
        fill_value: float | Sequence[float] = ...,
        interp_type: DALIInterpType = ...,
        pixel_origin: Literal["corner", "center"] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        data: DataNode,
        matrix_input: DataNode | None = None,
        *,
        matrix: Sequence[float] | np.ndarray | DataNode | None = ...,
        size: float | Sequence[float] | DataNode | None = ...,
        inverse_map: bool = ...,
        border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] = ...,
        fill_value: float | Sequence[float] = ...,
        interp_type: DALIInterpType = ...,
        pixel_origin: Literal["corner", "center"] = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...
