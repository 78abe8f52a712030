from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.call import DataNode

def gaussian(
    data: DataNode,
    *,
    mean: float | Sequence[float] | np.ndarray | DataNode = ...,
    stddev: float | Sequence[float] | np.ndarray | DataNode = ...,
    seed: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Adds a normal draw to each number; DALI's operator. Integers are rounded half away from zero and saturated.

    Args:
        data: any numbers.
        mean: of what is added. May be a node, with a value a sample.
        stddev: standard deviation of what is added. May be a node, with a value a sample.
        seed: a stream of its own, see `fn.random.uniform`.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def salt_and_pepper(
    data: DataNode,
    *,
    prob: float | Sequence[float] | np.ndarray | DataNode = ...,
    salt_vs_pepper: float | Sequence[float] | np.ndarray | DataNode = ...,
    salt_val: float | Sequence[float] | np.ndarray | DataNode | None = ...,
    pepper_val: float | Sequence[float] | np.ndarray | DataNode | None = ...,
    per_channel: bool = ...,
    seed: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Replaces some of the pixels by the brightest or the darkest ones; DALI's operator.

    Args:
        data: any numbers.
        prob: of a pixel that it is replaced. May be a node, with a value a sample.
        salt_vs_pepper: of one that is, that it becomes salt. May be a node, with a value a sample.
        salt_val: salt; not given: the largest number of integers, 1 of floats. May be a node, with a value a sample.
        pepper_val: pepper; not given: the smallest number of integers, -1 of floats. May be a node, with a value a
            sample.
        per_channel: each channel, the last axis, by itself.
        seed: a stream of its own, see `fn.random.uniform`.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def shot(
    data: DataNode,
    *,
    factor: float | Sequence[float] | np.ndarray | DataNode = ...,
    seed: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Replaces each number by a Poisson draw whose mean it is, in units of `factor`; DALI's operator.

    Numbers below 0 become 0. Integers are rounded half away from zero and saturated. See `jaxdali.random.poisson`.

    Args:
        data: any numbers.
        factor: by which one event raises a number; 0: there is no noise. May be a node, with a value a sample.
        seed: a stream of its own, see `fn.random.uniform`.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...
