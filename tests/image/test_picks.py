"""What random words pick from masks: by the CPU's calls, and by their definitions as XLA compiles them."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from jaxdali._device.boxes import object_boxes as objects
from jaxdali._device.random import mask_pixels as pixels

# The words that pick the first and the last of all, and some in between.
WORDS = np.array([0, 2**32 - 1, 2**31, 12345678, 3 * 10**9, 7], np.uint32)


def flags_of(size: int) -> np.ndarray:
    """Returns rows with all flags set, none, only the first, only the last, few and many."""
    flags = np.zeros((6, size), bool)
    flags[0], flags[2, 0], flags[3, -1] = True, True, True
    flags[4:] = np.random.default_rng(0).random((2, size)) < [[0.01], [0.7]]
    return flags


@pytest.mark.parametrize("size", [7, 5000])
def test_a_word_picks_one_of_the_flags(size):
    flags = flags_of(size)
    program = jax.jit(pixels.picked).lower(flags, WORDS)
    assert "custom_call @jaxdali_pick_true_v1" in program.as_text()
    found = np.asarray(program.compile()(flags, WORDS))
    np.testing.assert_array_equal(found, jax.jit(pixels._picked_generically)(flags, WORDS))
    for place, row, word in zip(found, flags, WORDS, strict=True):
        (places,) = np.nonzero(row)
        assert place == (places[int(word) * len(places) >> 32] if len(places) else -1)


def test_a_word_picks_one_of_the_labels():
    flags = flags_of(500)
    labels = np.random.default_rng(1).integers(0, 9, flags.shape).astype(np.int32)
    found = jax.jit(lambda *operands: objects._any_label(*operands, few=False))
    program = found.lower(labels, flags, WORDS)
    assert "custom_call @jaxdali_pick_label_v1" in program.as_text()
    found = np.asarray(program.compile()(labels, flags, WORDS))
    for few in (False, True):
        generic = jax.jit(lambda *operands, few=few: objects._any_label_generically(*operands, few=few))
        np.testing.assert_array_equal(found, generic(labels, flags, WORDS))
    for (label, many), row, held, word in zip(found, labels, flags, WORDS, strict=True):
        there = np.unique(row[held])
        assert many == len(there)
        assert label == (there[int(word) * int(many) >> 32] if many else 0)
