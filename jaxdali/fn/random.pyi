from collections.abc import Sequence
from typing import Any

import numpy as np

from ..pipeline import DataNode
from ..types import DALIDataType

def beta(
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
) -> DataNode:
    """Draws numbers from 0 to 1 from a beta distribution; DALI's `fn.random.beta`.

    Args:
        shape_like: a node whose samples have the shapes of the draws; its numbers are ignored. The draw for a sample
            does not depend on the shapes of other samples.
        alpha: first parameter of the distribution, above 0. May be a node with one value per sample.
        beta: second parameter of the distribution, above 0. May be a node with one value per sample.
        shape: shape of the draw for one sample; not with `shape_like`. By default a scalar. May be a node with one
            value per sample.
        dtype: type of the output: FLOAT, or FLOAT64 of the same draws.
        seed: seed of a stream of its own: two operators with the same seed draw the same numbers. By default it follows
            from the pipeline's seed and the operator's position among the random operators.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a parameter of a node is not above 0, where the batch is handed out.
    """
    ...

def choice(
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
) -> DataNode:
    """Draws one of several elements for each element of the output; DALI's `fn.random.choice`.

    The output has the layout of `a`, without its first letter if there is no shape; none if a shape has several axes.

    Args:
        a: what to choose from: the elements along the first axis. A scalar integer n stands for the numbers from 0 to n
            - 1.
        shape_like: a node whose samples have the shapes of the draws; its numbers are ignored. The draw for a sample
            does not depend on the shapes of other samples.
        p: probability of each element; the sum is 1. By default all elements are equally likely. May be a node with one
            value per sample.
        shape: shape of the draw for one sample; not with `shape_like`. By default a scalar. May be a node with one
            value per sample.
        seed: seed of a stream of its own: two operators with the same seed draw the same numbers. By default it follows
            from the pipeline's seed and the operator's position among the random operators.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: where the batch is handed out: nothing to choose from, or probabilities of a node do not fit.
    """
    ...

def coin_flip(
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
) -> DataNode:
    """Draws 1 with the given probability, otherwise 0; DALI's `fn.random.coin_flip`.

    Args:
        shape_like: a node whose samples have the shapes of the draws; its numbers are ignored. The draw for a sample
            does not depend on the shapes of other samples.
        probability: probability of 1. A node's number below 0 always gives 0, and one above 1 always gives 1. May be a
            node with one value per sample.
        shape: shape of the draw for one sample; not with `shape_like`. By default a scalar. May be a node with one
            value per sample.
        dtype: type of the output.
        seed: seed of a stream of its own: two operators with the same seed draw the same numbers. By default it follows
            from the pipeline's seed and the operator's position among the random operators.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def normal(
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
) -> DataNode:
    """Draws from a normal distribution; DALI's `fn.random.normal`. Integers are saturated to the range of `dtype`: 300
    becomes 255 in UINT8.

    Args:
        shape_like: a node whose samples have the shapes of the draws; its numbers are ignored. The draw for a sample
            does not depend on the shapes of other samples.
        mean: of the draws. May be a node with one value per sample.
        stddev: of the draws. May be a node with one value per sample.
        shape: shape of the draw for one sample; not with `shape_like`. By default a scalar. May be a node with one
            value per sample.
        dtype: type of the output.
        seed: seed of a stream of its own: two operators with the same seed draw the same numbers. By default it follows
            from the pipeline's seed and the operator's position among the random operators.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def uniform(
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
) -> DataNode:
    """Draws from [low, high), or one of `values`; DALI's `fn.random.uniform`. Integers are rounded float32 draws, and
    the ends of their range lose their fractions.

    Args:
        shape_like: a node whose samples have the shapes of the draws; its numbers are ignored. The draw for a sample
            does not depend on the shapes of other samples.
        range: (low, high), two numbers; or a node with two numbers per sample, low < high. By default (-1, 1). May be a
            node with one value per sample.
        values: the values to draw from, instead of a range. May be a node with one value per sample.
        shape: shape of the draw for one sample; not with `shape_like`. By default a scalar. May be a node with one
            value per sample.
        dtype: type of the output.
        seed: seed of a stream of its own: two operators with the same seed draw the same numbers. By default it follows
            from the pipeline's seed and the operator's position among the random operators.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: the range of a node's sample is empty, where the batch is handed out.
    """
    ...
