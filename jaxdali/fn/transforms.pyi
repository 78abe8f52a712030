from collections.abc import Sequence
from typing import Any

import numpy as np

from ..pipeline import DataNode

def combine(
    first: DataNode,
    *others: DataNode,
    reverse_order: bool = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Combines several affine maps, applied one after the other, into one, `float32[d, d + 1]`; DALI's operator.

    Args:
        first: affine maps, `[d, d + 1]`.
        others: maps that are applied after the first one, in this order.
        reverse_order: apply the maps of the input last.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def crop(
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
) -> DataNode:
    """Makes maps from one box to another, `float32[d, d + 1]`; DALI's operator. See `jaxdali.image.affine.crop`.

    Args:
        maps: affine maps, `[d, d + 1]`, that are applied first.
        from_start: where the source box begins, one number per dimension. May be a node with one value per sample.
        from_end: where the source box ends. May be a node with one value per sample.
        to_start: where the target box begins. May be a node with one value per sample.
        to_end: where the target box ends. May be a node with one value per sample.
        absolute: use the smaller of start and end as the start; by default boxes may be mirrored.
        reverse_order: apply the maps of the input last.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def rotation(
    maps: DataNode | None = None,
    *,
    angle: float | np.ndarray | DataNode,
    axis: float | Sequence[float] | DataNode | None = ...,
    center: float | Sequence[float] | DataNode | None = ...,
    reverse_order: bool = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Makes maps that rotate, `float32[2, 3]`, or `[3, 4]` with `axis`; DALI's operator. See
    `jaxdali.image.affine.rotation`.

    Args:
        maps: affine maps, `[d, d + 1]`, that are applied first.
        angle: in degrees. May be a node with one value per sample.
        axis: for three dimensions, the direction of the rotation axis. May be a node with one value per sample.
        center: the point that stays fixed, (x, y) or (x, y, z); by default the origin. May be a node with one value per
            sample.
        reverse_order: apply the maps of the input last.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def scale(
    maps: DataNode | None = None,
    *,
    scale: float | Sequence[float] | DataNode,
    center: float | Sequence[float] | DataNode | None = ...,
    ndim: int | None = ...,
    reverse_order: bool = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Makes maps that scale, `float32[d, d + 1]`; DALI's operator. See `jaxdali.image.affine.scaling`.

    Args:
        maps: affine maps, `[d, d + 1]`, that are applied first.
        scale: scale factor of each dimension. May be a node with one value per sample.
        center: the point that stays fixed, (x, y) or (x, y, z); by default the origin. May be a node with one value per
            sample.
        ndim: number of dimensions, if `scale` is one number for all of them.
        reverse_order: apply the maps of the input last.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def shear(
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
) -> DataNode:
    """Makes maps that shear, `float32[d, d + 1]`; DALI's operator. See `jaxdali.image.affine.shear`.

    Args:
        maps: affine maps, `[d, d + 1]`, that are applied first.
        shear: shear factors: x by y and y by x; for three dimensions xy, xz, yx, yz, zx, zy. May be a node with one
            value per sample.
        angles: shear angles in degrees, instead of `shear`, in the same order; the factors are their tangents. May be a
            node with one value per sample.
        center: the point that stays fixed, (x, y) or (x, y, z); by default the origin. May be a node with one value per
            sample.
        reverse_order: apply the maps of the input last.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def translation(
    maps: DataNode | None = None,
    *,
    offset: float | Sequence[float] | DataNode,
    reverse_order: bool = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Makes maps that add an offset, `float32[d, d + 1]`; DALI's operator. See `jaxdali.image.affine.translation`.

    Args:
        maps: affine maps, `[d, d + 1]`, that are applied first.
        offset: offset, one number per dimension. May be a node with one value per sample.
        reverse_order: apply the maps of the input last.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...
