"""`DALIGenericIterator`: a pipeline's batches as dictionaries of `jax.Array`."""

import front_sources
import jax
import numpy as np
import pytest
from front_pipelines import make, of
from front_sources import BATCHES

from jaxdali import ConfigError, DecodeError, Pipeline, fn, pipeline_def
from jaxdali.plugin.base_iterator import LastBatchPolicy
from jaxdali.plugin.jax import DALIGenericIterator


def resized(files, labels):
    return fn.resize(fn.decoders.image(files), size=8), labels


def epochs_of(iterator, count):
    """Returns the labels of each batch, for `count` loops."""
    return [[batch["label"][:, 0].tolist() for batch in iterator] for _ in range(count)]


def labels_of(batches, batch_size=4):
    return [[7 * (batch_size * k + i) for i in range(batch_size)] for k in range(batches)]


def test_a_batch_is_a_dictionary_of_arrays():
    iterator = DALIGenericIterator(make(resized), ["image", "label"])
    batch = next(iterator)
    assert list(batch) == ["image", "label"]
    assert all(isinstance(array, jax.Array) for array in batch.values())
    assert batch["image"].shape == (4, 8, 8, 3) and batch["image"].dtype == np.uint8
    assert batch["label"].tolist() == [front_sources.label(k).tolist() for k in range(4)]
    assert iterator.next()["label"][0, 0] == front_sources.label(4)[0]


def test_arrays_equal_the_outputs_of_run():
    outputs = make(resized).run()
    batch = next(DALIGenericIterator([make(resized)], ["image", "label"]))
    for output, array in zip(outputs, batch.values(), strict=True):
        np.testing.assert_array_equal(output.as_array(), array)


def test_further_outputs_are_left_out():
    # The first output is ragged, so only leaving out the last one is possible by name.
    pipe = make(lambda files, labels: (labels, fn.decoders.image(files)))
    words = r"1 name, 'label', but the pipeline has 2 outputs: batches are without output 1 \(fn.decoders.image\)"
    with pytest.warns(UserWarning, match=words):
        iterator = DALIGenericIterator(pipe, ["label"])
    assert list(next(iterator)) == ["label"]
    words = r"3 names, 'a', 'b', 'c', but the pipeline has 2 outputs: fn.resize, fn.\w+.*one name for each"
    with pytest.raises(IndexError, match=words):
        DALIGenericIterator(make(resized), ["a", "b", "c"])


@pytest.mark.parametrize("prepare", [True, False])
@pytest.mark.parametrize("auto_reset", [True, "yes", False, "no", None])
def test_every_loop_is_an_epoch(auto_reset, prepare):
    iterator = DALIGenericIterator(
        make(resized), ["image", "label"], auto_reset=auto_reset, prepare_first_batch=prepare
    )
    assert epochs_of(iterator, 3) == [labels_of(BATCHES)] * 3


def test_without_auto_reset_next_stays_at_the_end():
    iterator = DALIGenericIterator(make(resized), ["image", "label"])
    for _ in range(BATCHES):
        next(iterator)
    for _ in range(2):
        with pytest.raises(StopIteration):
            next(iterator)
    iterator.reset()
    assert next(iterator)["label"][0, 0] == 0


def test_with_auto_reset_next_goes_on():
    pipe = make(resized)
    iterator = DALIGenericIterator(pipe, ["image", "label"], auto_reset="yes")
    for epoch in range(2):
        assert pipe.epoch_idx == epoch
        for _ in range(BATCHES):
            next(iterator)
        with pytest.raises(StopIteration):
            next(iterator)


def test_iter_in_the_middle_of_an_epoch_goes_on():
    iterator = DALIGenericIterator(make(resized), ["image", "label"])
    next(iterator)
    assert [batch["label"][0, 0] for batch in iterator] == [28, 56, 84, 112]


def test_reset_before_the_first_batch_loses_none():
    with Pipeline(batch_size=2) as pipe:
        pipe.set_outputs(fn.external_source(iter([np.full((2,), 5, np.int32), np.full((2,), 6, np.int32)]), batch=True))
    iterator = DALIGenericIterator(pipe, ["x"])
    iterator.reset()
    assert [batch["x"][0] for batch in iterator] == [5, 6]


def test_reset_in_the_middle_begins_the_next_epoch():
    pipe = of(front_sources.numbers)
    iterator = DALIGenericIterator(pipe, ["x"])
    next(iterator)
    iterator.reset()
    assert next(iterator)["x"][0].tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("policy", "size", "batches"),
    [
        (LastBatchPolicy.FILL, 8, 2),
        (LastBatchPolicy.FILL, 9, 3),
        (LastBatchPolicy.DROP, 8, 2),
        (LastBatchPolicy.DROP, 11, 2),
    ],
)
def test_a_size_ends_the_epoch(policy, size, batches):
    iterator = DALIGenericIterator(
        make(resized), ["image", "label"], size=size, last_batch_policy=policy, auto_reset=True
    )
    assert len(iterator) == batches
    assert epochs_of(iterator, 3) == [labels_of(batches)] * 3


def test_a_source_that_ends_before_the_size():
    iterator = DALIGenericIterator(make(resized), ["image", "label"], size=4 * BATCHES + 8)
    assert epochs_of(iterator, 2) == [labels_of(BATCHES)] * 2


def test_the_length_is_unknown_without_a_size():
    iterator = DALIGenericIterator(make(resized), ["image", "label"])
    with pytest.raises(TypeError, match="length of the iterator is not known: give it size="):
        len(iterator)


def test_no_data():
    def ends(info):
        raise StopIteration

    with pytest.raises(RuntimeError, match="no data in the pipeline"):
        DALIGenericIterator(of(ends), ["x"])
    assert list(DALIGenericIterator(of(ends), ["x"], prepare_first_batch=False)) == []


def test_nothing_is_asked_for_before_it_is_wanted():
    calls = []
    pipe = of(lambda info: np.int32(calls.append(info) or 0))
    iterator = DALIGenericIterator(pipe, ["x"], prepare_first_batch=False)
    assert not calls
    next(iterator)
    assert calls


def test_ragged_outputs_are_refused_by_name():
    pipe = make(lambda files, labels: (fn.decoders.image(files, name="photo"), labels))
    words = (
        r"output 'photo' must be representable as a tensor, .*\(\(48, 64, 3\), \(40, 31, 3\), ...\)"
        r".*fn.resize.*or use Pipeline.run"
    )
    with pytest.raises(ConfigError, match=words):
        DALIGenericIterator(pipe, ["photo", "label"])
    pipe = of(lambda info: np.zeros(1 + info.idx_in_batch))
    with pytest.raises(ConfigError, match=r"differ in shape \(\(1,\), \(2,\), ...\)"):
        DALIGenericIterator(pipe, ["x"])


def test_a_bad_image_and_then_the_next_batch():
    def sample(info):
        k = info.idx_in_epoch
        return np.zeros(9, np.uint8) if k == 6 else front_sources.file(k)

    pipe = of(sample, lambda node: fn.resize(fn.decoders.image(node), size=8))
    iterator = DALIGenericIterator(pipe, ["image"])
    expected = DALIGenericIterator(make(resized), ["image", "label"])
    np.testing.assert_array_equal(next(iterator)["image"], next(expected)["image"])
    with pytest.raises(DecodeError) as caught:
        next(iterator)
    assert caught.value.sample_index == 6
    next(expected)
    np.testing.assert_array_equal(next(iterator)["image"], next(expected)["image"])


@pytest.mark.parametrize("parallel", [False, True])
def test_arrays_never_change_while_the_ring_turns(parallel):
    @pipeline_def(batch_size=4, py_num_workers=2, py_start_method="spawn")
    def mine():
        return fn.external_source(front_sources.numbers, batch=False, parallel=parallel)

    with mine() as pipe:
        iterator = DALIGenericIterator(pipe, ["x"])
        held = [next(iterator)["x"] for _ in range(20)]
        views = [np.asarray(array) for array in held[::3]]
        for _ in range(10):
            next(iterator)
        firsts = [4 * k for k in range(20)]
        assert [int(array[0, 0]) for array in held] == firsts
        assert [int(view[0, 0]) for view in views] == firsts[::3]
        doubled = jax.jit(lambda x: 2 * x, donate_argnums=0)(held[3])
        assert doubled[0, 0] == 24 and views[1][0, 0] == 12


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"pipelines": []}, "expects a Pipeline or a list of them"),
        ({"pipelines": 3}, "expects a Pipeline or a list of them, got 3"),
        ({"output_map": []}, "output_map is empty"),
        ({"output_map": ["x", "x"]}, "names should be distinct"),
        ({"output_map": "image"}, r"a list of names, got 'image'; write \['image'\]"),
        ({"reader_name": "r"}, "'r' not found or does not expose valid metadata"),
        ({"reader_name": "r", "size": 5}, "When reader_name is provided, size should not be set"),
        ({"reader_name": "r", "last_batch_padded": True}, "last_batch_padded should not be set"),
        ({"sharding": 3}, "must be a jax.sharding.Sharding, got 3"),
        ({"sharding": {"y": 3}}, r"has entries for \['y'\], but the outputs are \['x'\]"),
        ({"last_batch_policy": "DROP"}, "must be LastBatchPolicy.FILL, DROP or PARTIAL, got 'DROP'"),
        ({"fill_last_batch": True, "last_batch_policy": LastBatchPolicy.DROP}, "give only last_batch_policy"),
        ({"size": 0}, "Size cannot be 0"),
        ({"size": -2}, "size must be an integer, at least -1"),
        ({"size": 2.5}, "size must be an integer"),
        ({"size": 3, "last_batch_policy": LastBatchPolicy.DROP}, "less than one batch of 4"),
        ({"auto_reset": "maybe"}, "auto_reset must be"),
    ],
    ids=str,
)
def test_refused(arguments, words):
    pipe = of(front_sources.numbers)
    with pytest.raises(ConfigError, match=words):
        DALIGenericIterator(**{"pipelines": pipe, "output_map": ["x"], **arguments})


class Ten:
    """Ten samples, with a length."""

    def __len__(self):
        return 10

    def __call__(self, info):
        return np.array([info.idx_in_epoch], np.int32)


def test_fill_repeats_the_last_sample_of_a_source_that_declares_its_length():
    iterator = DALIGenericIterator(of(Ten()), ["x"], auto_reset=True)
    assert len(iterator) == 3
    for _ in range(2):
        assert [batch["x"][:, 0].tolist() for batch in iterator] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 9, 9]]


def test_drop_leaves_the_incomplete_batch_out():
    iterator = DALIGenericIterator(of(Ten()), ["x"], last_batch_policy=LastBatchPolicy.DROP, auto_reset=True)
    assert len(iterator) == 2
    for _ in range(2):
        assert [batch["x"][:, 0].tolist() for batch in iterator] == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_batches_of_different_sizes_are_given_as_they_are():
    @pipeline_def(batch_size=4)
    def mine():
        batches = fn.external_source(lambda i: np.full((i % 4, 2), i, np.float32))
        return batches, fn.random.uniform()

    iterator = DALIGenericIterator(mine(), ["x", "u"])
    for size in (0, 1, 2, 3, 0, 1):
        batch = next(iterator)
        assert batch["x"].shape == (size, 2) and batch["u"].shape == (size,)
