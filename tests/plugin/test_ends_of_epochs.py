"""How an epoch ends is a function of the source, its cycle, the size and the policy, and of nothing else."""

from __future__ import annotations

import itertools
import warnings

import epoch_programs
import epoch_sources
import numpy as np
import pytest
from epoch_model import ODD, SAMPLES, epochs
from epoch_programs import EPOCHS
from epoch_sources import SOURCES
from pairwise import pairwise
from processes import run_program

from jaxdali import Pipeline, fn
from jaxdali.plugin.jax import DALIGenericIterator, LastBatchPolicy

CYCLES = [
    *((kind, None) for kind in SOURCES),
    *(
        (kind, cycle)
        for kind, cycle in itertools.product(("iterator", "iterable", "generator function"), ("quiet", "raise"))
    ),
]
# The whole data; a whole number of batches less; a part of a batch less; more than there are; and one batch and a bit.
SIZES = (None, SAMPLES, 8, 7, 20, 5)
CASES = [
    (kind, cycle, *others)
    for (kind, cycle), *others in itertools.product(
        CYCLES, SIZES, ("FILL", "DROP", "PARTIAL"), (1, 2, 4), (False, True), (True, False)
    )
    # Data without an end need a size; a generator is no source for another process.
    if (cycle != "quiet" or others[0] is not None) and not (kind == "generator" and others[3])
]
AT_ONCE = 80


def check(cases) -> None:
    for case, found in zip(cases, run_program(epoch_programs.table, cases), strict=True):
        assert found == epochs(*case[:4], EPOCHS), case


def test_each_two_settings_together():
    # A kind with a cycle counts as one setting.
    chosen = pairwise([(case[:2], *case[2:]) for case in CASES])
    assert len(chosen) <= AT_ONCE
    check([(*kind, *others) for kind, *others in chosen])


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(0, len(CASES), AT_ONCE))
def test_all_settings(first):
    check(CASES[first : first + AT_ONCE])


def of(source, **options):
    with Pipeline(batch_size=4) as pipe:
        pipe.set_outputs(fn.external_source(source, **options))
    return pipe


def samples(info):
    if info.idx_in_epoch >= ODD:
        raise StopIteration
    return np.array([info.idx_in_epoch], np.int32)


def heard(policy, source, **options) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        iterator = DALIGenericIterator(
            of(source, **options), ["x"], auto_reset=True, last_batch_policy=LastBatchPolicy[policy]
        )
        for _ in range(4):
            list(iterator)
    assert all(one.filename == __file__ for one in found)
    return [str(one.message) for one in found]


@pytest.mark.parametrize("policy", ["FILL", "PARTIAL"])
def test_samples_that_fill_no_batch_are_told_once(policy):
    (text,) = heard(policy, samples, batch=False)
    assert "after 2 samples of a batch of 4" in text and "__len__" in text


def test_an_epoch_without_a_batch_is_told_once():
    (text,) = heard("FILL", epoch_sources.generate)
    assert "an epoch had no batch" in text and 'cycle="raise"' in text


@pytest.mark.parametrize(
    ("policy", "source", "options"),
    [
        ("DROP", samples, {"batch": False}),
        ("FILL", epoch_sources.Sample(SAMPLES), {"batch": False}),
        ("FILL", epoch_sources.generate, {"cycle": "raise"}),
        ("FILL", epoch_sources.ResetsItself(), {}),
        ("PARTIAL", epoch_sources.SizedSample(), {"batch": False}),
    ],
)
def test_where_nothing_is_missing_nothing_is_told(policy, source, options):
    assert heard(policy, source, **options) == []
