from collections.abc import Sequence
from typing import Any

from ..pipeline import DataNode
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
    """Computes the maximum; DALI's `fn.reductions.max`.

    Args:
        data: any numbers.
        axes: axes to reduce; negative numbers count from the last axis. By default all axes.
        axis_names: names of these axes in the layout, instead of `axes`.
        keep_dims: keep the reduced axes, with the extent 1.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

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
    """Computes the mean; DALI's `fn.reductions.mean`.

    Args:
        data: any numbers.
        axes: axes to reduce; negative numbers count from the last axis. By default all axes.
        axis_names: names of these axes in the layout, instead of `axes`.
        keep_dims: keep the reduced axes, with the extent 1.
        dtype: type of the output, a floating-point type; by default FLOAT.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

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
    """Computes the mean of the squares; DALI's `fn.reductions.mean_square`.

    Args:
        data: any numbers.
        axes: axes to reduce; negative numbers count from the last axis. By default all axes.
        axis_names: names of these axes in the layout, instead of `axes`.
        keep_dims: keep the reduced axes, with the extent 1.
        dtype: type of the output, a floating-point type; by default FLOAT.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

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
    """Computes the minimum; DALI's `fn.reductions.min`.

    Args:
        data: any numbers.
        axes: axes to reduce; negative numbers count from the last axis. By default all axes.
        axis_names: names of these axes in the layout, instead of `axes`.
        keep_dims: keep the reduced axes, with the extent 1.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

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
    """Computes the root of the mean of the squares; DALI's `fn.reductions.rms`.

    Args:
        data: any numbers.
        axes: axes to reduce; negative numbers count from the last axis. By default all axes.
        axis_names: names of these axes in the layout, instead of `axes`.
        keep_dims: keep the reduced axes, with the extent 1.
        dtype: type of the output, a floating-point type; by default FLOAT.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

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
    """Computes the standard deviation; DALI's `fn.reductions.std_dev`.

    It is the root of the mean square of the distances from a mean, as FLOAT.

    Args:
        data: any numbers.
        mean: the mean from which distances are measured, with or without the reduced axes.
        axes: axes to reduce; negative numbers count from the last axis. By default all axes.
        axis_names: names of these axes in the layout, instead of `axes`.
        keep_dims: keep the reduced axes, with the extent 1.
        ddof: delta degrees of freedom: the sum of squares is divided by the number of elements minus this number.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

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
    """Computes the sum; DALI's `fn.reductions.sum`.

    Args:
        data: any numbers.
        axes: axes to reduce; negative numbers count from the last axis. By default all axes.
        axis_names: names of these axes in the layout, instead of `axes`.
        keep_dims: keep the reduced axes, with the extent 1.
        dtype: type of the output; integers wrap around. By default FLOAT for floats, and UINT64 or INT64 for integers.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

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
    """Computes the variance; DALI's `fn.reductions.variance`.

    It is the mean square of the distances from a mean, as FLOAT.

    Args:
        data: any numbers.
        mean: the mean from which distances are measured, with or without the reduced axes.
        axes: axes to reduce; negative numbers count from the last axis. By default all axes.
        axis_names: names of these axes in the layout, instead of `axes`.
        keep_dims: keep the reduced axes, with the extent 1.
        ddof: delta degrees of freedom: the sum of squares is divided by the number of elements minus this number.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...
