"""Peekable iterators: peeking changes nothing, and their promises hold for every batch."""

import sys
import threading
import types

import jax
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from reader_pipelines import labels_of

from jaxdali import Pipeline, StateError, fn, pipeline_def
from jaxdali._dali.iterators.peekable import ArraySpec
from jaxdali.plugin.jax import LastBatchPolicy
from jaxdali.plugin.jax.clu import DALIGenericPeekableIterator, peekable_data_iterator


def make(length=6, **options):
    return DALIGenericPeekableIterator(labels_of(length, 2), ["label"], reader_name="reader", **options)


def label(batch):
    return batch["label"].ravel().tolist()


def test_looking_changes_nothing():
    iterator = make()
    assert label(iterator.peek()) == label(iterator.peek()) == [0, 1]
    assert iterator.peek()["label"] is next(iterator)["label"] is not None
    assert label(next(iterator)) == [2, 3]
    assert label(iterator.peek()) == [4, 5]
    assert [label(batch) for batch in iterator] == [[4, 5]]


@pytest.mark.parametrize("auto_reset", [True, False])
def test_the_end_is_seen_and_comes_all_the_same(auto_reset):
    iterator = make(auto_reset=auto_reset)
    for _ in range(3):
        next(iterator)
    for _ in range(2):
        with pytest.raises(StopIteration):
            iterator.peek()
    with pytest.raises(StopIteration):
        next(iterator)
    if not auto_reset:
        iterator.reset()
    for _ in range(2):
        assert [label(batch) for batch in iterator] == [[0, 1], [2, 3], [4, 5]]
        if not auto_reset:
            iterator.reset()


def test_a_future_of_the_next_batch():
    iterator = make()
    future = iterator.peek_async()
    assert label(future.result(10)) == [0, 1]
    assert label(next(iterator)) == [0, 1] and label(iterator.peek_async().result(10)) == [2, 3]
    assert [label(batch) for batch in iterator] == [[2, 3], [4, 5]]
    iterator.reset()
    for _ in range(3):
        next(iterator)
    with pytest.raises(IndexError, match="the epoch is over"):
        iterator.peek_async().result(10)


def test_several_threads_look_and_take():
    iterator = make(200)
    seen, looked = [], []

    def look():
        while len(seen) < 100:
            try:
                looked.append(label(iterator.peek()))
            except StopIteration:
                return

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for batch in iterator:
        seen.append(label(batch))
    for thread in threads:
        thread.join(10)
    assert seen == [[2 * k, 2 * k + 1] for k in range(100)]
    assert looked and all(pair in seen for pair in looked)


def test_the_spec_is_known_before_a_batch_is_taken():
    iterator = make(prepare_first_batch=False)
    assert iterator.element_spec == {"label": ArraySpec((2, 1), np.dtype(np.int32))}
    assert label(next(iterator)) == [0, 1]


def test_the_spec_has_the_type_of_clu_where_that_is(monkeypatch):
    class OfClu(ArraySpec):
        pass

    module = types.ModuleType("clu.data.dataset_iterator")
    module.ArraySpec = OfClu
    for name in ("clu", "clu.data"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, "clu.data.dataset_iterator", module)
    assert type(make().element_spec["label"]) is OfClu


def test_a_batch_of_another_shape_is_an_error():
    iterator = make(5, last_batch_policy=LastBatchPolicy.PARTIAL)
    assert label(next(iterator)) == [0, 1] and label(next(iterator)) == [2, 3]
    with pytest.raises(ValueError, match="shape or type of the output 'label' changed between iterations"):
        next(iterator)


def test_the_decorator_makes_it_of_shards():
    mesh = Mesh(np.array(jax.devices("cpu")[:2]), ("data",))

    @peekable_data_iterator(reader_name="reader", sharding=NamedSharding(mesh, PartitionSpec("data")))
    def mine(shard_id, num_shards):
        files = ["/dev/null"] * 8
        _, labels = fn.readers.file(files=files, name="reader", shard_id=shard_id, num_shards=num_shards)
        return {"label": labels}

    iterator = mine(batch_size=4, enable_checkpointing=True, seed=1, py_num_workers=0)
    assert isinstance(iterator, DALIGenericPeekableIterator)
    assert label(iterator.peek()) == [0, 1, 4, 5]
    assert iterator.element_spec["label"].shape == (4, 1)
    with pytest.raises(StateError, match=r"after peek\(\): call next\(\) first"):
        iterator.checkpoints()
    next(iterator)
    again = mine(batch_size=4, enable_checkpointing=True, py_num_workers=0, checkpoints=iterator.checkpoints())
    assert label(next(again)) == [2, 3, 6, 7]


def test_a_loop_behind_a_peek_at_the_end_is_the_next_epoch():
    for auto_reset in (True, False):
        iterator = make(auto_reset=auto_reset)
        for _ in range(3):
            next(iterator)
        with pytest.raises(StopIteration):
            iterator.peek()
        if not auto_reset:
            iterator.reset()
        assert [label(batch) for batch in iterator] == [[0, 1], [2, 3], [4, 5]]


def test_a_reset_of_a_source_forgets_what_was_looked_at():
    @pipeline_def(batch_size=2)
    def mine():
        return fn.external_source(lambda info: np.array([100 * info.epoch_idx + info.idx_in_epoch]), batch=False)

    iterator = DALIGenericPeekableIterator(mine(), ["label"], size=6)
    assert label(next(iterator)) == [0, 1] and label(iterator.peek()) == [2, 3]
    iterator.reset()
    assert [label(batch) for batch in iterator] == [[100, 101], [102, 103], [104, 105]]


class Rewinds:
    """Three batches, again and again."""

    def __init__(self):
        self.next = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.next == 3:
            self.next = 0
            raise StopIteration
        self.next += 1
        return np.full((2, 1), self.next - 1)


@pytest.mark.parametrize("returned", [0, 1])
@pytest.mark.parametrize("depth", [1, 2])
def test_a_batch_that_was_peeked_at_comes_after_a_reset(returned, depth):
    with Pipeline(batch_size=2, prefetch_queue_depth=depth) as pipe:
        pipe.set_outputs(fn.external_source(Rewinds()))
    iterator = DALIGenericPeekableIterator(pipe, ["x"], size=6)
    seen = [int(next(iterator)["x"][0, 0]) for _ in range(returned)]
    seen.append(int(iterator.peek()["x"][0, 0]))
    iterator.reset()
    # The new epoch has three batches, and the end of the data comes before them where it does.
    assert [*seen[:-1], *(int(batch["x"][0, 0]) for batch in iterator)] == [0, 1, 2]
