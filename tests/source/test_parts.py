"""Parts of batches, and the last batch of an epoch: integers in, integers out."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jaxdali._feed.source.parts import PartsSampler
from jaxdali._feed.source.sampler import SequentialSampler, ShuffleSampler


def rows_of(sampler, step):
    """Returns the positions in the epoch, and the mask, of a step's rows."""
    local = sampler.local_batch_size
    positions = np.arange(step * local, (step + 1) * local)
    real, mask = sampler.is_real(positions), sampler.mask(step * local, local)
    assert real.all() if mask is None else (mask == real).all()
    return sampler.positions(positions).tolist(), real.tolist()


@st.composite
def cuts(draw):
    """(samples, batch size, parts); a batch may be larger than the number of samples."""
    parts = draw(st.integers(1, 8))
    return draw(st.integers(1, 60)), parts * draw(st.integers(1, 9)), parts


@given(cuts())
def test_parts_together_are_every_sample_once_under_the_mask(cut):
    samples, batch_size, count = cut
    parts = [PartsSampler(SequentialSampler(samples), batch_size, count, (part,), True) for part in range(count)]
    seen = []
    for step in range(-(-samples // batch_size)):
        rows, mask = map(np.concatenate, zip(*(rows_of(part, step) for part in parts), strict=True))
        seen += rows[mask].tolist()
        assert len(rows) == batch_size and mask.argmin() in (0, mask.sum())  # padding follows the real rows
        real = int(mask.sum())
        assert real >= 1
        # Padding repeats the step's own rows.
        assert rows.tolist() == (rows[:real].tolist() * batch_size)[:batch_size]
    assert seen == list(range(samples))
    assert all(part.steps == -(-samples // batch_size) for part in parts)
    assert {part.length for part in parts} == {parts[0].steps * batch_size // count}


@given(cuts(), st.data())
def test_several_parts_of_a_process_are_those_parts(cut, data):
    samples, batch_size, count = cut
    mine = tuple(sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1))))
    whole = PartsSampler(SequentialSampler(samples), batch_size, 1, (0,), True)
    part = PartsSampler(SequentialSampler(samples), batch_size, count, mine, True)
    size = batch_size // count
    for step in range(whole.steps):
        rows, mask = (np.reshape(values, (count, size)) for values in rows_of(whole, step))
        found, found_mask = rows_of(part, step)
        assert found == rows[list(mine)].ravel().tolist() and found_mask == mask[list(mine)].ravel().tolist()


@given(cuts())
def test_without_padding_the_rest_is_left_out(cut):
    samples, batch_size, count = cut
    sampler = PartsSampler(SequentialSampler(samples), batch_size, count, tuple(range(count)))
    assert sampler.steps == samples // batch_size
    rows = [rows_of(sampler, step) for step in range(sampler.steps)]
    assert [row for step, _ in rows for row in step] == list(range(samples // batch_size * batch_size))
    assert all(all(mask) for _, mask in rows)


def test_the_source_is_asked_for_what_padding_repeats():
    whole = ShuffleSampler(10, 3)
    sampler = PartsSampler(whole, 8, 4, (1, 3), True)
    expected = whole.indices(2, np.array([8, 9, 8, 9]))
    np.testing.assert_array_equal(sampler.indices(2, np.arange(4, 8)), expected)


def test_epochs_of_any_length_are_exact_integers():
    samples = 2**62 - 1
    sampler = PartsSampler(SequentialSampler(samples), 8, 2, (1,), True)
    assert sampler.steps == 2**59
    last = np.arange(sampler.length - 4, sampler.length)
    assert sampler.positions(last).tolist() == [samples - 3, samples - 2, samples - 1, samples - 7]
    assert sampler.is_real(last).tolist() == [True, True, True, False]
