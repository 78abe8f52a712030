"""Examples of operators that draw numbers, and of those that sum up what samples have."""

from __future__ import annotations

from jaxdali import fn, types
from ..example import Group
from ..kits import NOTHING, PHOTOS

RANDOM = Group("Random numbers", NOTHING)
REDUCTIONS = Group("Statistics of samples", PHOTOS)


@RANDOM("fn.random.uniform", "FLOAT ()", "FLOAT (2,)", "FLOAT (2, 3)")
def uniform():
    """A number between 0.5 and 1.5, one of three numbers for each of two places, and numbers from -1 to 1."""
    factor = fn.random.uniform(range=(0.5, 1.5))
    one_of_three = fn.random.uniform(values=[1.0, 2.0, 4.0], shape=2)
    return factor, one_of_three, fn.random.uniform(shape=(2, 3))


@RANDOM("fn.random.normal", "FLOAT (1000,)")
def normal():
    """A thousand numbers of mean 1 and standard deviation 2."""
    return fn.random.normal(mean=1.0, stddev=2.0, shape=1000)


@RANDOM("fn.random.coin_flip", "INT32 ()")
def coin_flip():
    """1 for three samples out of ten, such as for `mirror=`."""
    return fn.random.coin_flip(probability=0.3)


@RANDOM("fn.random.beta", "FLOAT ()")
def beta():
    """The share of one of two images, as mixup draws it."""
    return fn.random.beta(alpha=0.2, beta=0.2)


@RANDOM("fn.random.choice", "INT32 ()", "FLOAT (3,)")
def choice():
    """A number below 10, and three of four elements, the first one most often."""
    return fn.random.choice(10), fn.random.choice(
        [1.0, 2.0, 3.0, 4.0], p=[0.7, 0.1, 0.1, 0.1], shape=3
    )


@RANDOM("fn.batch_permutation", "INT32 ()")
def batch_permutation():
    """For each sample, the index of another one; see `fn.permute_batch`."""
    return fn.batch_permutation()


@REDUCTIONS("fn.reductions.mean", "FLOAT (3,) C")
def mean(images):
    """The mean of each channel."""
    return fn.reductions.mean(images, axes=[0, 1])


@REDUCTIONS("fn.reductions.std_dev", "FLOAT (3,) C")
def std_dev(images):
    """The standard deviation of each channel."""
    return fn.reductions.std_dev(
        images, fn.reductions.mean(images, axes=[0, 1]), axes=[0, 1]
    )


@REDUCTIONS("fn.reductions.variance", "FLOAT (3,) C")
def variance(images):
    """The variance of each channel."""
    return fn.reductions.variance(
        images, fn.reductions.mean(images, axes=[0, 1]), axes=[0, 1]
    )


@REDUCTIONS("fn.reductions.mean_square", "FLOAT (3,) C")
def mean_square(images):
    """The mean of the squares of each channel."""
    return fn.reductions.mean_square(images, axes=[0, 1])


@REDUCTIONS("fn.reductions.rms", "FLOAT (3,) C")
def rms(images):
    """The root of the mean of the squares of each channel."""
    return fn.reductions.rms(images, axes=[0, 1])


@REDUCTIONS("fn.reductions.sum", "INT64 ()")
def sum(images):
    """How many pixels are bright: BOOLs are added up as numbers."""
    return fn.reductions.sum(fn.cast(images[:, :, 0] > 200, dtype=types.INT64))


@REDUCTIONS("fn.reductions.min", "UINT8 (3,) C")
def min(images):
    """The darkest level of each channel."""
    return fn.reductions.min(images, axis_names="HW")


@REDUCTIONS("fn.reductions.max", "UINT8 (3,) C")
def max(images):
    """The brightest level of each channel."""
    return fn.reductions.max(images, axis_names="HW")
