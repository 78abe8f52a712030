"""`close` of the iterators ends what they own, and nothing else."""

import concurrent.futures
import os
import threading
import time

import front_sources
import jax
import pytest
from reader_pipelines import labels_of

from jaxdali import StateError, fn
from jaxdali.plugin.jax import DALIGenericIterator, data_iterator
from jaxdali.plugin.jax.clu import DALIGenericPeekableIterator, peekable_data_iterator

KINDS = [DALIGenericIterator, DALIGenericPeekableIterator]
DECORATORS = [data_iterator, peekable_data_iterator]


def numbers():
    return {"x": fn.external_source(front_sources.numbers, batch=False, parallel=True)}


def sharded(shard_id, num_shards):
    return {"x": fn.external_source(front_sources.numbers, batch=False, parallel=True)}


def workers_of(iterator):
    return [pid for pipeline in iterator._pipes for pid in pipeline.worker_pids()]


def lives(pid):
    return os.path.exists(f"/proc/{pid}")


@pytest.mark.parametrize("decorator", DECORATORS)
def test_workers_of_a_decorated_iterator_end_with_it(decorator):
    options = {"batch_size": 4, "py_num_workers": 1, "py_start_method": "spawn"}
    with decorator(numbers, size=8)(device_id=None, **options) as iterator:
        batch = next(iterator)
        pids = workers_of(iterator)
        assert len(pids) == 1 and all(map(lives, pids))
    assert workers_of(iterator) == [] and not any(map(lives, pids))
    assert batch["x"][:, 0].tolist() == [0, 1, 2, 3]
    iterator.close()
    for call in (iterator.__next__, iterator.next, iterator.reset, iterator.checkpoints, lambda: list(iterator)):
        with pytest.raises(StateError, match=r"the iterator is closed; make a new one$"):
            call()
    with pytest.raises(StateError, match="closed"), iterator:
        pass
    assert len(iterator) == 2


def test_every_part_of_a_batch_is_closed():
    make = data_iterator(sharded, size=8, devices=jax.devices("cpu")[:2])
    iterator = make(batch_size=4, py_num_workers=1, py_start_method="spawn")
    pids = workers_of(iterator)
    assert len(pids) == 2
    iterator.close()
    assert not any(map(lives, pids))


@pytest.mark.parametrize("kind", KINDS)
def test_pipelines_that_were_handed_in_stay_the_users(kind):
    pipe = labels_of(8, 2)
    with kind(pipe, ["label"], reader_name="reader") as iterator:
        assert next(iterator)["label"].ravel().tolist() == [0, 1]
    with pytest.raises(StateError, match="make a new one, over its pipelines if they are still open"):
        next(iterator)
    assert next(kind(pipe, ["label"], reader_name="reader"))["label"].ravel().tolist() == [2, 3]
    pipe.enable_api_check(False)  # else run() would refuse to follow an iterator
    assert pipe.run()[0].as_array().ravel().tolist() == [4, 5]


def test_it_is_closed_though_the_block_failed():
    with (
        pytest.raises(ZeroDivisionError),
        data_iterator(numbers, size=8)(
            batch_size=4, device_id=None, py_num_workers=1, py_start_method="spawn"
        ) as iterator,
    ):
        raise ZeroDivisionError
    with pytest.raises(StateError, match="closed"):
        next(iterator)


def test_what_could_not_become_an_iterator_leaves_no_workers(monkeypatch):
    made = []

    class Refusing(DALIGenericIterator):
        def __init__(self, pipelines, *arguments, **named):
            super().__init__(pipelines, *arguments, **named)
            made.extend(workers_of(self))
            raise KeyboardInterrupt

    monkeypatch.setattr("jaxdali._dali.iterators.iterator_decorator.DALIGenericIterator", Refusing)
    factory = data_iterator(numbers, size=8)
    with pytest.raises(KeyboardInterrupt):
        factory(batch_size=4, device_id=None, py_num_workers=1, py_start_method="spawn")
    assert len(made) == 1 and not lives(made[0])


def peeking():
    return [thread for thread in threading.enumerate() if thread.name.startswith("jaxdali-peek")]


def test_the_thread_that_looks_ends_and_futures_that_have_not_begun_are_cancelled():
    before = peeking()
    iterator = DALIGenericPeekableIterator(labels_of(8, 2), ["label"], reader_name="reader")
    with iterator._jaxdali._lock:  # holds up a peek
        first, second = iterator.peek_async(), iterator.peek_async()
        (thread,) = [one for one in peeking() if one not in before]
        while not first.running():
            time.sleep(0.001)
        iterator.close()
    with pytest.raises(StateError, match="closed"):
        first.result(10)
    with pytest.raises(concurrent.futures.CancelledError):
        second.result(10)
    thread.join(10)
    assert not thread.is_alive()
    for call in (iterator.peek, iterator.peek_async, iterator.__next__, iterator.reset, lambda: iterator.element_spec):
        with pytest.raises(StateError, match="closed"):
            call()
