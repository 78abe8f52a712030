from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.call import DataNode

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
    """One map that does what several do one after the other, `float32[d, d + 1]`; DALI's operator.

    Args:
        first: affine maps, `[d, d + 1]`.
        others: maps that come behind them, one after the other.
        reverse_order: the maps of the input come last.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Maps from one box to another, `float32[d, d + 1]`; DALI's operator. See `jaxdali.image.affine.crop`.

    Args:
        maps: affine maps, `[d, d + 1]`, that come first.
        from_start: where the box begins that is mapped, a number for each dimension. May be a node, with a value a
            sample.
        from_end: where it ends. May be a node, with a value a sample.
        to_start: where the box begins that it is mapped to. May be a node, with a value a sample.
        to_end: where that ends. May be a node, with a value a sample.
        absolute: of start and end the smaller number is the start; else boxes may be mirrored.
        reverse_order: the maps of the input come last.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def rotation(
    maps: DataNode | None = None,
    *,
    angle: float | Sequence[float] | np.ndarray | DataNode,
    axis: float | Sequence[float] | DataNode | None = ...,
    center: float | Sequence[float] | DataNode | None = ...,
    reverse_order: bool = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Maps that rotate, `float32[2, 3]`, or `[3, 4]` with `axis`; DALI's operator. See `jaxdali.image.affine.rotation`.

    Args:
        maps: affine maps, `[d, d + 1]`, that come first.
        angle: in degrees. May be a node, with a value a sample.
        axis: of three dimensions, the direction that is rotated round. May be a node, with a value a sample.
        center: the point that stays where it is. May be a node, with a value a sample.
        reverse_order: the maps of the input come last.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Maps that scale, `float32[d, d + 1]`; DALI's operator. See `jaxdali.image.affine.scaling`.

    Args:
        maps: affine maps, `[d, d + 1]`, that come first.
        scale: factor of each dimension. May be a node, with a value a sample.
        center: the point that stays where it is. May be a node, with a value a sample.
        ndim: how many dimensions, where `scale` is a number for all of them.
        reverse_order: the maps of the input come last.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Maps that shear, `float32[d, d + 1]`; DALI's operator. See `jaxdali.image.affine.shear`.

    Args:
        maps: affine maps, `[d, d + 1]`, that come first.
        shear: factors: x by y and y by x; of three dimensions xy, xz, yx, yz, zx, zy. May be a node, with a value a
            sample.
        angles: likewise the angles, in degrees, whose tangents they are. May be a node, with a value a sample.
        center: the point that stays where it is. May be a node, with a value a sample.
        reverse_order: the maps of the input come last.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

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
    """Maps that add an offset, `float32[d, d + 1]`; DALI's operator. See `jaxdali.image.affine.translation`.

    Args:
        maps: affine maps, `[d, d + 1]`, that come first.
        offset: a number for each dimension. May be a node, with a value a sample.
        reverse_order: the maps of the input come last.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...
