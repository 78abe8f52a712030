from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.call import DataNode
from ..types import DALIDataType

def beta(
    shape_like: DataNode | None = None,
    *,
    alpha: float | DataNode = ...,
    beta: float | DataNode = ...,
    shape: int | Sequence[int] | DataNode | None = ...,
    seed: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Draws from a beta distribution, numbers from 0 to 1; DALI's `fn.random.beta`.

    Args:
        shape_like: every sample's draw has the shape of this node's sample; its numbers do not count. What is drawn for
            a sample is the same whatever the other samples' shapes are.
        alpha: the first parameter of the distribution, above 0. May be a node, with a value a sample.
        beta: the second one. May be a node, with a value a sample.
        shape: of one sample's draw; not with `shape_like`. A scalar by default. Of a node the largest must be known
            beforehand: it is drawn, or a node's shape(). May be a node, with a value a sample.
        seed: a stream of its own: two operators with the same seed draw the same numbers. Not given: the pipeline's
            seed, and the operator's number among the random ones.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        dtype: <DALIDataType.FLOAT: 9> only: draws are FLOAT; fn.cast makes others of them.

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
    """Draws one of several elements for each number of its output; DALI's `fn.random.choice`.

    Args:
        a: what is chosen from: elements along the first axis; of a scalar integer the numbers from 0 to that less 1.
        shape_like: every sample's draw has the shape of this node's sample; its numbers do not count. What is drawn for
            a sample is the same whatever the other samples' shapes are.
        p: the probability of each element, 1 together. Not given: all are as likely. May be a node, with a value a
            sample.
        shape: of one sample's draw; not with `shape_like`. A scalar by default. Of a node the largest must be known
            beforehand: it is drawn, or a node's shape(). May be a node, with a value a sample.
        seed: a stream of its own: two operators with the same seed draw the same numbers. Not given: the pipeline's
            seed, and the operator's number among the random ones.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: where the batch is handed out: nothing to choose from, or probabilities of a node do not fit.
    """
    ...

def coin_flip(
    shape_like: DataNode | None = None,
    *,
    probability: float | Sequence[float] | np.ndarray | DataNode = ...,
    shape: int | Sequence[int] | DataNode | None = ...,
    dtype: DALIDataType = ...,
    seed: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Draws 1 with the given probability, else 0; DALI's `fn.random.coin_flip`.

    Args:
        shape_like: every sample's draw has the shape of this node's sample; its numbers do not count. What is drawn for
            a sample is the same whatever the other samples' shapes are.
        probability: of 1. A node's may be below 0, which gives 0, or above 1, which gives 1. May be a node, with a
            value a sample.
        shape: of one sample's draw; not with `shape_like`. A scalar by default. Of a node the largest must be known
            beforehand: it is drawn, or a node's shape(). May be a node, with a value a sample.
        dtype: of the output.
        seed: a stream of its own: two operators with the same seed draw the same numbers. Not given: the pipeline's
            seed, and the operator's number among the random ones.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def normal(
    shape_like: DataNode | None = None,
    *,
    mean: float | Sequence[float] | np.ndarray | DataNode = ...,
    stddev: float | Sequence[float] | np.ndarray | DataNode = ...,
    shape: int | Sequence[int] | DataNode | None = ...,
    dtype: DALIDataType = ...,
    seed: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Draws from a normal distribution; DALI's `fn.random.normal`. Integers of `dtype` end where they end: 300 is 255 in
    UINT8.

    Args:
        shape_like: every sample's draw has the shape of this node's sample; its numbers do not count. What is drawn for
            a sample is the same whatever the other samples' shapes are.
        mean: of the draws. May be a node, with a value a sample.
        stddev: of the draws. May be a node, with a value a sample.
        shape: of one sample's draw; not with `shape_like`. A scalar by default. Of a node the largest must be known
            beforehand: it is drawn, or a node's shape(). May be a node, with a value a sample.
        dtype: of the output.
        seed: a stream of its own: two operators with the same seed draw the same numbers. Not given: the pipeline's
            seed, and the operator's number among the random ones.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.

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
    """Draws from [low, high), or one of `values`; DALI's `fn.random.uniform`. Integers are the float32 draw rounded.

    Args:
        shape_like: every sample's draw has the shape of this node's sample; its numbers do not count. What is drawn for
            a sample is the same whatever the other samples' shapes are.
        range: (low, high), numbers; or a node with two numbers a sample, low < high. Not given: (-1, 1). May be a node,
            with a value a sample.
        values: in place of a range: numbers, or a node with as many for every sample. May be a node, with a value a
            sample.
        shape: of one sample's draw; not with `shape_like`. A scalar by default. Of a node the largest must be known
            beforehand: it is drawn, or a node's shape(). May be a node, with a value a sample.
        dtype: of the output.
        seed: a stream of its own: two operators with the same seed draw the same numbers. Not given: the pipeline's
            seed, and the operator's number among the random ones.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: the range of a node's sample is empty, where the batch is handed out.
    """
    ...
