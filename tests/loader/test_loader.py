"""`Loader`: the same steps for every reader, wherever it starts."""

import copy
import inspect
import itertools
import pickle

import front_sources
import image_reference as reference
import jax
import numpy as np
import pytest
from case_names import plain
from front_pipelines import resized_images, small_images
from front_sources import Folder, Mapped, Rows

from jaxdali import ConfigError, Loader, SourceDataError, StateError
from jaxdali._feed.source.sampler import ShuffleSampler
from jaxdali.random import sample_keys


def indices_of(loader):
    return [batch[:, 0].tolist() for batch in loader]


def assert_equal(one, two):
    jax.tree.map(np.testing.assert_array_equal, one, two)


# ORDER


def test_the_order_without_shuffle():
    loader = Loader(Rows(8), batch_size=4, epochs=2, workers=0)
    assert len(loader) == 4 and loader.steps_per_epoch == 2
    assert indices_of(loader) == [[0, 1, 2, 3], [4, 5, 6, 7]] * 2


@pytest.mark.parametrize("length", [8, 10])
def test_the_order_with_shuffle_is_the_samplers(length):
    options = {"shuffle": True, "seed": 5, "epochs": 3, "workers": 0}
    loader = Loader(Rows(length), batch_size=4, last_batch="drop", **options)
    sampler = ShuffleSampler(length, 5)
    expected = [sampler.indices(epoch, np.arange(4 * k, 4 * k + 4)).tolist() for epoch in range(3) for k in range(2)]
    assert indices_of(loader) == expected
    epochs = [expected[2 * k] + expected[2 * k + 1] for k in range(3)]
    assert len(set(map(tuple, epochs))) == 3
    for order in epochs:
        assert len(set(order)) == 8 and set(order) <= set(range(length))


def test_keys_are_those_of_the_samples():
    def augment(batch, keys):
        return batch[:, 0], jax.random.key_data(keys)

    loader = Loader(Rows(8), augment, batch_size=4, shuffle=True, seed=5, epochs=2, workers=0)
    steps = list(loader.enumerate())
    assert [step for step, _ in steps] == [0, 1, 2, 3]
    for step, (_, words) in steps:
        positions = 4 * (step % 2) + np.arange(4)
        expected = sample_keys(5, 0, step // 2, positions)
        np.testing.assert_array_equal(words, jax.random.key_data(expected))


def test_workers_change_nothing():
    data = Folder()
    options = {"batch_size": 4, "shuffle": True, "seed": 3, "epochs": 2}
    alone = list(Loader(data, small_images, workers=0, **options).enumerate())
    assert [step for step, _ in alone] == [0, 1, 2, 3, 4, 5, 6, 7]
    with Loader(data, small_images, workers=2, **options) as loader:
        loader.start()
        for (step, batch), expected in zip(loader.enumerate(), alone, strict=True):
            assert step == expected[0]
            assert_equal(batch, expected[1])


def test_images_are_those_of_the_reference():
    sampler = ShuffleSampler(14, 3)
    loader = Loader(Folder(), resized_images, batch_size=4, shuffle=True, seed=3, workers=0)
    batch = next(iter(loader))
    for row, index in enumerate(sampler.indices(0, np.arange(4))):
        expected = reference.resize(front_sources.pixels(index)[None], (8, 8))[0].astype(int)
        assert np.abs(np.asarray(batch["x"][row]) - expected).max() <= 1
        assert batch["y"][row] == front_sources.label(index)


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("start", [0, 1, 3, 5])
def test_seek_goes_on_as_if_it_had_never_stopped(start, workers):
    options = {"batch_size": 4, "shuffle": True, "epochs": 3, "workers": workers}
    straight = indices_of(Loader(Rows(10), batch_size=4, shuffle=True, epochs=3, workers=0))
    with Loader(Rows(10), **options) as loader:
        loader.seek(start)
        assert loader.step == start
        assert indices_of(loader) == straight[start:]
        loader.seek(1)
        steps = loader.enumerate()
        assert next(steps)[0] == 1
        loader.seek(4)
        step, batch = next(steps)
        assert (step, loader.step) == (4, 5)
        assert batch[:, 0].tolist() == straight[4]


def test_iterators_share_the_position():
    loader = Loader(Rows(10), batch_size=2, epochs=1, workers=0)
    one, two = loader.enumerate(), loader.enumerate()
    assert [next(one)[0], next(two)[0], next(one)[0]] == [0, 1, 2]
    assert [step for step, _ in loader.enumerate()] == [3, 4]
    assert list(one) == list(two) == []
    loader.seek(4)
    assert len(list(loader)) == 1


@pytest.mark.parametrize("taken_to", ["the end", "the last step"])
def test_one_that_was_iterated_to_its_end_says_so(taken_to):
    loader = Loader(Rows(10), batch_size=4, epochs=1, workers=0)
    batches = loader if taken_to == "the end" else itertools.islice(loader, 3)
    expected = [batch[:, 0].tolist() for batch in batches]
    for again in (lambda: list(loader), loader.enumerate):
        with pytest.raises(StateError, match=r"all 3 steps .* were taken, and epochs=1 .*loader.epoch\(e\).*seek\(0\)"):
            again()
    loader.seek(0)
    assert indices_of(loader) == expected
    # A Loader that resumes after the last step has nothing left to do.
    loader.seek(3)
    assert list(loader) == [] == list(loader)


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("epochs", [None, 3])
def test_epochs_one_by_one(epochs, workers):
    options = {"batch_size": 4, "shuffle": True, "seed": 5}
    straight = indices_of(Loader(Rows(10), epochs=3, workers=0, **options))
    with Loader(Rows(10), epochs=epochs, workers=workers, **options) as loader:
        for number in (0, 1, 1, 2, 0):
            batches = loader.epoch(number)
            assert len(batches) == loader.steps_per_epoch == 3
            assert [batch[:, 0].tolist() for batch in batches] == straight[3 * number : 3 * number + 3]
            assert list(batches) == [] and loader.step == 3 * number + 3
        next(loader.epoch(1))
        assert [batch[:, 0].tolist() for batch in loader.epoch(1)] == straight[3:6], (
            "one that was broken off begins anew"
        )
    with pytest.raises(StateError, match="closed"):
        loader.epoch(0)


def test_epochs_that_follow_each_other_are_read_once():
    asked = []
    loader = Loader(Mapped(lambda i: asked.append(i) or np.int32(i)), batch_size=4, workers=0)
    for number in range(3):
        assert len(list(loader.epoch(number))) == 2
    assert asked[1:] == [*range(8)] * 3 + [*range(4)], "what was read ahead was thrown away"


def test_iterators_of_two_epochs_do_not_mix():
    loader = Loader(Rows(8), batch_size=4, workers=0)
    first, second = loader.epoch(0), loader.epoch(3)
    assert next(second)[0, 0] == 0 and loader.step == 7
    with pytest.raises(
        StateError, match="seek or another iterator moved the Loader to step 7 while steps 0 to 1 of an epoch"
    ):
        next(first)


def test_epochs_side_by_side_are_refused_and_not_empty():
    loader = Loader(Rows(8), batch_size=4, workers=0)
    for later in (0, 1):
        with pytest.raises(StateError, match=r"share one position: .* or make a Loader for each"):
            list(zip(loader.epoch(0), loader.epoch(later), strict=False))
    batches = loader.epoch(0)
    assert len([next(batches) for _ in range(len(loader.epoch(0)))]) == 2
    assert len(list(loader.epoch(1))) == 2 and list(batches) == [], "one that took all of its batches has ended"


def test_an_epoch_that_is_refused_disturbs_nobody():
    loader = Loader(Rows(8), batch_size=4, workers=0)
    batches = loader.epoch(0)
    assert next(batches)[0, 0] == 0
    with pytest.raises(StateError):
        # As from a signal handler while a batch is taken.
        loader._step_runner.exclusive.run_exclusively(lambda: loader.epoch(1), lambda: None)
    assert next(batches)[0, 0] == 4


def test_small_leaves_are_compiled_for_once():
    data = [{"x": np.zeros(3, np.float32), "y": 1}] * 64
    with Loader(data, lambda batch, keys: batch["x"] + batch["y"][:, None], batch_size=4, workers=0) as loader:
        batches = [batch.tolist() for batch in loader.epoch(0)]
        assert batches == [[[1.0] * 3] * 4] * 16
        # The first batches have another layout in their slots than later ones.
        assert loader._step_runner.executor._dispatcher._compiled._cache_size() == 1


def test_no_copies_are_made_of_a_loader():
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"a Loader cannot be pickled or copied.* save get_state\(\)"):
            copied(Loader(Rows(8), batch_size=4, workers=0))


def test_a_failed_step_counts_in_its_epoch():
    loader = Loader(Mapped(lambda i: 2**40 if i == 1 else i), batch_size=4, epochs=2, workers=0)
    for number in range(2):
        batches = loader.epoch(number)
        with pytest.raises(SourceDataError, match="do not fit int32"):
            next(batches)
        assert [batch.tolist() for batch in batches] == [[4, 5, 6, 7]]
    with pytest.raises(ConfigError, match="epoch must be an integer, at least 0 and at most 1, got 2"):
        loader.epoch(2)


def test_without_epochs_there_is_no_end():
    loader = Loader(Rows(4), batch_size=4, workers=0)
    steps = loader.enumerate()
    assert [next(steps)[0] for _ in range(7)] == list(range(7))
    with pytest.raises(TypeError, match="no length; see steps_per_epoch"):
        len(loader)


def test_every_prefetch_gives_the_same():
    for prefetch in (1, 2, 7):
        loader = Loader(Rows(8), batch_size=4, epochs=3, prefetch=prefetch, workers=0)
        assert indices_of(loader) == [[0, 1, 2, 3], [4, 5, 6, 7]] * 3


# LIFE


def test_a_closed_loader():
    with Loader(Rows(), batch_size=4, workers=0) as loader:
        steps = loader.enumerate()
        _, batch = next(steps)
    assert batch[:, 0].tolist() == [0, 1, 2, 3]
    assert loader.step == 1
    loader.close()
    for call in (lambda: next(steps), lambda: list(loader), lambda: loader.seek(0), loader.start):
        with pytest.raises(StateError, match="the loader is closed; make a new one"):
            call()
    with pytest.raises(StateError, match="closed"), loader:
        pass


def test_construction_reads_one_sample_and_starts_nothing():
    asked = []
    loader = Loader(Mapped(lambda i: np.int32(asked.append(i) or i)), batch_size=4, workers=0)
    assert asked == [0] and loader.step == 0
    next(iter(loader))
    assert len(asked) > 4


X, Y = np.zeros((8, 2)), np.arange(8)


@pytest.mark.parametrize("data", [[X[0], X[1]] * 4, {k: X[k] for k in range(8)}, X], ids=["list", "dict", "array"])
def test_what_holds_samples_is_data(data):
    assert next(iter(Loader(data, batch_size=4, workers=0))).shape == (4, 2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"data": lambda info: 0}, "or something to iterate over, got function; .*fn.external_source"),
        ({"augment": 3}, r"augment must be a function of \(batch, keys\), got 3"),
        ({"batch_size": 0}, "batch_size must be an integer, at least 1, got 0"),
        ({"batch_size": 2.0}, "batch_size must be an integer"),
        (
            {"batch_size": 11, "last_batch": "drop"},
            "have 10 samples, fewer than one batch of 11, .*use last_batch='mask'",
        ),
        ({"last_batch": "pad"}, r"last_batch must be 'mask' .* or 'drop' .*, got 'pad'"),
        ({"data": Rows(0)}, "the data have no samples"),
        ({"data": {}}, "the data have no samples"),
        ({"data": {"x": X, "y": Y}}, r"the dict has the keys x, y\. .*source\.Arrays\(x=X, y=Y\)"),
        ({"data": (X, Y)}, r"tuple of arrays, of shapes \(8, 2\), \(8,\): .* list\(data\); .*source\.Arrays"),
        ({"data": [X, Y]}, r"float64\[8, 2\] and int64\[8\], which cannot be samples .*source\.Arrays"),
        ({"prefetch": 0}, "prefetch must be an integer, at least 1"),
        ({"seed": -1}, "seed must be an integer, at least 0"),
        ({"epochs": 0}, "epochs must be an integer, at least 1"),
        ({"workers": -1}, "workers must be an integer, at least 0"),
        ({"max_image_pixels": 0}, "max_image_pixels must be"),
    ],
    ids=plain,
)
def test_refused(arguments, words):
    with pytest.raises(ConfigError, match=words):
        Loader(**{"data": Rows(10), "batch_size": 4, **arguments})


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({1}, r"a sample with a set in it; expected .* a number, .*Loader\(..., host=\(leaf,\)\)"),
        (1j, "a sample with a complex in it"),
        (1 << 70, "an integer of 71 bits without its sign; expected one that fits int64"),
    ],
    ids=plain,
)
def test_samples_that_no_array_can_hold(value, words):
    with pytest.raises(SourceDataError, match=rf"__getitem__ returned {words}.*\[output 'label', sample 0"):
        Loader(Mapped(lambda i: {"label": value}), batch_size=4)
    loader = Loader(Mapped(lambda i: {"label": 1 if i < 6 else value}), batch_size=4, workers=0)
    loader.seek(1)
    with pytest.raises(SourceDataError, match=rf"__getitem__ returned {words}.*\[output 'label', sample 6"):
        next(loader.enumerate())


@pytest.mark.parametrize("step", [-1, 5, 1.5])
def test_there_is_no_such_step(step):
    loader = Loader(Rows(8), batch_size=4, epochs=2, workers=0)
    with pytest.raises(ConfigError, match="step must be an integer, at least 0 and at most 4"):
        loader.seek(step)
    loader.seek(4)
    assert list(loader) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"num_workers": 2}, r"no argument 'num_workers'; did you mean workers=\?"),
        ({"drop_last": True}, r"no argument 'drop_last'; did you mean last_batch=\"drop\"\?"),
        ({"batchsize": 4}, r"no argument 'batchsize'; did you mean batch_size=\?"),
        ({"batch": 4}, r"no argument 'batch'; did you mean batch_size=\?"),
        ({"collate_fn": list}, r"no argument 'collate_fn': leaves are stacked; .* ragged="),
        ({"zzz": 4}, "no argument 'zzz'$"),
    ],
    ids=str,
)
def test_a_keyword_that_is_none_names_the_one_that_was_meant(arguments, words):
    with pytest.raises(TypeError, match=words):
        Loader([1], batch_size=1, **arguments)
    assert "last_batch" in inspect.signature(Loader).parameters


def test_next_of_a_loader_says_what_to_do():
    with pytest.raises(TypeError, match=r"batches = iter\(loader\) and next\(batches\)"):
        next(Loader([np.float32(1)], batch_size=1, workers=0))
