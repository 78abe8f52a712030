"""`source.WeightedSampler`: its draws, which are functions of (seed, epoch, position)."""

import numpy as np
import pytest

from jaxdali import ConfigError, Loader
from jaxdali.source import BucketSampler, WeightedSampler


def test_shares_are_those_of_the_weights():
    weights = [0, 1, 3, 0, 6, 0]
    sampler = WeightedSampler(weights, length=20_000, seed=3)
    drawn = sampler.indices(0, np.arange(20_000))
    shares = np.bincount(drawn, minlength=6) / 20_000
    # Four standard deviations of the widest share.
    np.testing.assert_allclose(shares, np.array(weights) / 10, atol=4 * np.sqrt(0.25 / 20_000))
    assert shares[0] == shares[3] == shares[5] == 0 and drawn.dtype == np.int64


def test_a_draw_follows_from_seed_epoch_and_position():
    sampler = WeightedSampler(np.ones(1000))
    assert len(sampler) == 1000
    places = np.array([7, 3, 999])
    whole = sampler.indices(4, np.arange(1000))
    np.testing.assert_array_equal(sampler.indices(4, places), whole[places])
    others = [sampler.indices(5, places), WeightedSampler(np.ones(1000), seed=1).indices(4, places)]
    assert all((other != whole[places]).any() for other in others)
    assert sampler.indices(0, []).tolist() == []


def test_the_last_sample_with_a_weight_is_the_last_that_comes():
    # A sum of ten tenths is not exactly 1 in floating point.
    sampler = WeightedSampler([0.1] * 10 + [0], length=5000)
    assert sampler.indices(0, np.arange(5000)).max() == 9


@pytest.mark.parametrize("weights", [[], [0, 0], [1, -1], [1, np.nan], [[1]]])
def test_what_are_no_weights(weights):
    with pytest.raises(ConfigError, match="expects a weight for each sample"):
        WeightedSampler(weights)
    with pytest.raises(ConfigError, match="length must be an integer, at least 1"):
        WeightedSampler([1], length=0)
    with pytest.raises(ConfigError, match="position 3 is outside"):
        WeightedSampler([1], length=3).indices(0, [3])


@pytest.mark.parametrize("sampler", [WeightedSampler(np.ones(3)), BucketSampler([1] * 5, 2, (4,))])
def test_a_sampler_is_about_all_samples_of_the_data(sampler):
    with pytest.raises(ConfigError, match=f"was made for {sampler.samples} samples, but the data have 4"):
        Loader([np.float32(k) for k in range(4)], sampler=sampler, batch_size=2, workers=0)
