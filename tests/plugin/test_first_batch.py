"""A bad image in the batch that the constructor takes only concerns that batch."""

import gc
import weakref

import front_sources
import jax
import numpy as np
import pytest
from front_pipelines import SEED
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from jaxdali import DecodeError, fn, pipeline_def
from jaxdali.plugin.jax import DALIGenericIterator, data_iterator
from jaxdali.plugin.jax.clu import DALIGenericPeekableIterator

BAD = 1


def sample(info):
    """A file and its number; one file is not an image."""
    index = info.idx_in_epoch
    return (np.zeros(9, np.uint8) if index == BAD else front_sources.file(index)), np.array([index], np.int32)


@pipeline_def(batch_size=2, seed=SEED, py_num_workers=0)
def mine():
    files, numbers = fn.external_source(sample, num_outputs=2, batch=False)
    return fn.resize(fn.decoders.image(files), size=8), numbers


def numbers(batch):
    return batch["number"].ravel().tolist()


def iterate(kind=DALIGenericIterator, **options):
    return kind(mine(**options.pop("pipeline", {})), ["image", "number"], size=8, **options)


@pytest.mark.parametrize("prepare", [True, False])
@pytest.mark.parametrize("kind", [DALIGenericIterator, DALIGenericPeekableIterator])
def test_the_first_next_says_so_and_the_second_batch_follows(kind, prepare):
    iterator = iterate(kind, prepare_first_batch=prepare, auto_reset=True)
    for _ in range(2):
        with pytest.raises(DecodeError) as caught:
            next(iterator)
        assert (caught.value.sample_index, caught.value.iteration) == (BAD, 0)
        assert [numbers(batch) for batch in iterator] == [[2, 3], [4, 5], [6, 7]]


def test_a_look_says_so_too():
    iterator = iterate(DALIGenericPeekableIterator)
    with pytest.raises(DecodeError):
        iterator.peek()
    assert numbers(iterator.peek()) == numbers(next(iterator)) == [2, 3]


def test_a_reset_before_anything_was_handed_out_changes_nothing():
    iterator = iterate()
    iterator.reset()
    with pytest.raises(DecodeError):
        next(iterator)
    assert numbers(next(iterator)) == [2, 3]


def test_a_checkpoint_before_it_is_that_of_the_beginning():
    iterator = iterate(pipeline={"enable_checkpointing": True})
    (record,) = iterator.checkpoints()
    again = iterate(pipeline={"checkpoint": record, "enable_checkpointing": True})
    for one in (iterator, again):
        with pytest.raises(DecodeError):
            next(one)
    (behind,) = iterator.checkpoints()
    again = iterate(pipeline={"checkpoint": behind, "enable_checkpointing": True})
    assert numbers(next(again)) == numbers(next(iterator)) == [2, 3]


def test_several_pipelines_stay_in_step():
    mesh = Mesh(np.array(jax.devices("cpu")[:2]), ("data",))

    @data_iterator(size=16, sharding=NamedSharding(mesh, PartitionSpec("data")))
    def both(shard_id, num_shards):
        def shifted(info):
            bad = shard_id == 1 and info.idx_in_epoch == BAD
            return np.zeros(9, np.uint8) if bad else front_sources.file(0), np.array([info.idx_in_epoch], np.int32)

        files, numbers = fn.external_source(shifted, num_outputs=2, batch=False)
        return {"image": fn.decoders.image(files, canvas=(72, 72)), "number": numbers}

    iterator = both(batch_size=4, seed=SEED, py_num_workers=0)
    with pytest.raises(DecodeError):
        next(iterator)
    assert numbers(next(iterator)) == [2, 3, 2, 3]


def test_the_error_that_waits_keeps_nothing_alive():
    iterator = iterate()
    pipeline = weakref.ref(iterator._pipes[0])
    gc.disable()
    try:
        del iterator
        assert pipeline() is None
        iterator = iterate()
        pipeline = weakref.ref(iterator._pipes[0])
        with pytest.raises(DecodeError) as caught:
            next(iterator)
        assert iterator._jaxdali._first is None
        del caught, iterator
        assert pipeline() is None
    finally:
        gc.enable()


def test_what_a_source_raises_is_raised_at_once():
    @pipeline_def(batch_size=2, py_num_workers=0)
    def failing():
        return fn.external_source(lambda info: 1 // 0, batch=False)

    with pytest.raises(ZeroDivisionError):
        DALIGenericIterator(failing(), ["x"])
