from collections.abc import Sequence
from typing import Any

import numpy as np

from ..pipeline import DataNode

def gaussian(
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
) -> DataNode:
    """Adds noise from a normal distribution to each number; DALI's operator. Integers are rounded half away from zero
    and saturated.

    Args:
        data: any numbers.
        mean: mean of the noise. May be a node with one value per sample.
        stddev: standard deviation of the noise. May be a node with one value per sample.
        seed: seed of a stream of its own, see `fn.random.uniform`.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def salt_and_pepper(
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
) -> DataNode:
    """Replaces random pixels with the brightest or the darkest level; DALI's operator.

    Args:
        data: any numbers.
        prob: probability that a pixel is replaced. May be a node with one value per sample.
        salt_vs_pepper: probability that a replaced pixel becomes salt. May be a node with one value per sample.
        salt_val: level of salt; by default the largest number for integers, 1 for floats. May be a node with one value
            per sample.
        pepper_val: level of pepper; by default the smallest number for integers, -1 for floats. May be a node with one
            value per sample.
        per_channel: draw for each channel separately. Channels are the axis C of the layout; without a layout the last
            axis.
        seed: seed of a stream of its own, see `fn.random.uniform`.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def shot(
    data: DataNode,
    *,
    factor: float | np.ndarray | DataNode = ...,
    seed: int | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Adds the noise of counted photons; DALI's operator.

    Each number is replaced with a draw from a Poisson distribution that has this number as its mean, in units of `factor`.

    Numbers below 0 become 0. Integers are rounded half away from zero and saturated. See `jaxdali.random.poisson`.

    Args:
        data: any numbers.
        factor: amount by which one event raises a number; 0: no noise. May be a node with one value per sample.
        seed: seed of a stream of its own, see `fn.random.uniform`.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...
