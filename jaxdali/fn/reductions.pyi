from collections.abc import Sequence
from typing import Any

from ..graph.call import DataNode
from ..types import DALIDataType

def max(
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
) -> DataNode:
    """The largest of numbers; DALI's `fn.reductions.max`.

    Args:
        data: any numbers.
        axes: along which numbers are reduced; below 0 counted from the last one. Not given: all.
        axis_names: the same by letters of the layout.
        keep_dims: these axes stay, with the extent 1.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def mean(
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
) -> DataNode:
    """The mean of numbers; DALI's `fn.reductions.mean`.

    Args:
        data: any numbers.
        axes: along which numbers are reduced; below 0 counted from the last one. Not given: all.
        axis_names: the same by letters of the layout.
        keep_dims: these axes stay, with the extent 1.
        dtype: of the output, of floats; not given: FLOAT.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def mean_square(
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
) -> DataNode:
    """The mean of numbers' squares; DALI's `fn.reductions.mean_square`.

    Args:
        data: any numbers.
        axes: along which numbers are reduced; below 0 counted from the last one. Not given: all.
        axis_names: the same by letters of the layout.
        keep_dims: these axes stay, with the extent 1.
        dtype: of the output, of floats; not given: FLOAT.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def min(
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
) -> DataNode:
    """The smallest of numbers; DALI's `fn.reductions.min`.

    Args:
        data: any numbers.
        axes: along which numbers are reduced; below 0 counted from the last one. Not given: all.
        axis_names: the same by letters of the layout.
        keep_dims: these axes stay, with the extent 1.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def rms(
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
) -> DataNode:
    """The root of the mean of numbers' squares; DALI's `fn.reductions.rms`.

    Args:
        data: any numbers.
        axes: along which numbers are reduced; below 0 counted from the last one. Not given: all.
        axis_names: the same by letters of the layout.
        keep_dims: these axes stay, with the extent 1.
        dtype: of the output, of floats; not given: FLOAT.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def std_dev(
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
) -> DataNode:
    """The root of the mean square of numbers' distances from a mean, as FLOAT; DALI's `fn.reductions.std_dev`.

    Args:
        data: any numbers.
        mean: from which distances count, with or without the axes that are reduced.
        axes: along which numbers are reduced; below 0 counted from the last one. Not given: all.
        axis_names: the same by letters of the layout.
        keep_dims: these axes stay, with the extent 1.
        ddof: how many less than there are numbers the sum of squares is divided by.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def sum(
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
) -> DataNode:
    """Adds numbers; DALI's `fn.reductions.sum`.

    Args:
        data: any numbers.
        axes: along which numbers are reduced; below 0 counted from the last one. Not given: all.
        axis_names: the same by letters of the layout.
        keep_dims: these axes stay, with the extent 1.
        dtype: of the output, in which integers wrap round. Not given: FLOAT of floats, UINT64 or INT64 of integers.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a sum of 64 bits that JAX has not without jax_enable_x64.
    """
    ...

def variance(
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
) -> DataNode:
    """The mean square of numbers' distances from a mean, as FLOAT; DALI's `fn.reductions.variance`.

    Args:
        data: any numbers.
        mean: from which distances count, with or without the axes that are reduced.
        axes: along which numbers are reduced; below 0 counted from the last one. Not given: all.
        axis_names: the same by letters of the layout.
        keep_dims: these axes stay, with the extent 1.
        ddof: how many less than there are numbers the sum of squares is divided by.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...
