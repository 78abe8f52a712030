"""Distributions of noise compared with NVIDIA's DALI."""

from __future__ import annotations

import numpy as np
import pytest
from beside_dali import SYSTEMS, forms, graph, results

pytestmark = pytest.mark.dali


def noisy(dtype: str, level: float) -> list[list[np.ndarray]]:
    """Returns each output's samples from DALI and from jaxdali, for images of one constant level."""

    @graph
    def program(dali):
        images = dali.fn.external_source(lambda: [np.full((60, 50, 3), level, dtype)] * 2, layout="HWC")
        return (
            dali.fn.noise.gaussian(images, mean=level / 20, stddev=level / 5),
            dali.fn.noise.salt_and_pepper(images, prob=0.2, salt_vs_pepper=0.7),
            dali.fn.noise.salt_and_pepper(images, prob=0.2, salt_vs_pepper=0.3, per_channel=True),
        )

    theirs, ours = (results(program, system) for system in SYSTEMS)
    assert forms(ours) == forms(theirs)
    return [
        [np.stack([s for batch in found[0] for s in batch[k].samples]).astype(np.float64) for k in range(3)]
        for found in (theirs, ours)
    ]


@pytest.mark.parametrize(
    ("dtype", "level", "factor"), [("uint8", 100, 20.0), ("float32", 40.0, 0.5), ("float32", 0.3, 1.0)]
)
def test_shot_noise_is_distributed_as_dalis(dtype, level, factor):
    @graph
    def program(dali):
        images = dali.fn.external_source(lambda: [np.full((90, 80, 3), level, dtype)] * 2, layout="HWC")
        return dali.fn.noise.shot(images, factor=factor), dali.fn.noise.shot(images, factor=0.0)

    theirs, ours = (results(program, system) for system in SYSTEMS)
    assert forms(ours) == forms(theirs)
    drawn = [np.stack([s for batch in found[0] for s in batch[0].samples]).ravel() for found in (theirs, ours)]
    skew = lambda values: np.mean((values - values.mean()) ** 3) ** (1 / 3)  # noqa: E731
    for quantity, limit in ((np.mean, 0.01), (np.std, 0.01), (skew, 0.08)):
        one, other = (quantity(values.astype(np.float64)) for values in drawn)
        assert abs(one - other) < limit * abs(one)
    values = np.unique(drawn[0])[:40]
    assert max(abs((drawn[0] == value).mean() - (drawn[1] == value).mean()) for value in values) < 0.006
    assert all((sample == np.asarray(level, dtype)).all() for batch in ours[0] for sample in batch[1].samples)


@pytest.mark.parametrize(("dtype", "level"), [("uint8", 100), ("float32", 0.5)])
def test_noise_is_distributed_as_dalis(dtype, level):
    (normal, whole, channels), (our_normal, our_whole, our_channels) = noisy(dtype, level)
    assert abs(normal.mean() - our_normal.mean()) < level * 0.003
    assert abs(normal.std() - our_normal.std()) < level * 0.003
    for theirs, ours in ((whole, our_whole), (channels, our_channels)):
        assert set(np.unique(theirs)) == set(np.unique(ours)) and len(np.unique(ours)) == 3
        for value in np.unique(theirs):
            assert abs((theirs == value).mean() - (ours == value).mean()) < 0.012
    for found in (whole, our_whole):  # all channels of a pixel, or none
        replaced = found != level
        assert (replaced.any(axis=-1) == replaced.all(axis=-1)).all()
    assert abs((channels != level).any(axis=-1).mean() - (our_channels != level).any(axis=-1).mean()) < 0.015
