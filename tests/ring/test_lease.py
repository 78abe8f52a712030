"""A slot stays readable as long as anything made from it lives, and is free right after.

Each case keeps one thing, drops and collects every other name, and goes around the ring ten times with new contents:
what is kept must not change. Then the last thing is dropped, and all slots must be free without a call to JAX.
"""

from __future__ import annotations

import ctypes
import gc
import time

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from lease_sources import contents, source

import jaxdali
from jaxdali import fn
from jaxdali._base.dtypes import UINT8
from jaxdali._feed.processes.pool import WorkerPool
from jaxdali._feed.ring.columns import Column
from jaxdali._feed.ring.feed import Feed
from jaxdali._feed.ring.feed_options import FeedOptions
from jaxdali._feed.ring.inline import InlineProducer
from jaxdali._feed.source.source_kinds import CallableSource
from jaxdali._run.executor.device_io.transfer import put_column
from jaxdali.tensors import SlotBacking, TensorListCPU

BATCH = 8


class Turning:
    """A feed whose batches are taken one by one."""

    def __init__(self, workers: int):
        options = FeedOptions(batch_size=BATCH, ahead=1, max_leased=4, chunks=2)
        self.feed = Feed(CallableSource(source, None), [Column(name="x")], options)
        if workers:
            self.feed.producer = WorkerPool([self.feed.served], workers=workers, start_method="spawn")
        else:
            self.feed.producer = InlineProducer(self.feed.served)
        self.iteration = 0

    def take(self):
        """Returns the next batch as `Pipeline.run` would, and its column."""
        assert self.feed.publish(0, self.iteration)
        batch = self.feed.take(0, self.iteration)
        self.iteration += 1
        return TensorListCPU(SlotBacking(batch.columns[0])), batch.columns[0]

    def turn(self, times: int = 10) -> None:
        for _ in range(times):
            tensors, _ = self.take()
            expected = contents((self.iteration - 1) * BATCH + 3)
            np.testing.assert_array_equal(tensors.at(3), expected)

    @property
    def all_free(self) -> bool:
        return self.feed.ring.free_slots == self.feed.ring.slots


both = pytest.mark.parametrize("turning", ["inline", "spawn"], indirect=True)


@pytest.fixture
def turning(request):
    if getattr(request, "param", "inline") == "inline":
        made = Turning(0)
    else:
        made = Turning(2)
    made.turn(2)  # from here on, batches have a dense layout
    yield made
    if made.feed is not None:
        made.feed.close()


def sample_of_a_batch(tensors, _):
    return tensors[3]


def array_of_a_sample(tensors, _):
    return tensors.at(3)


def transposed_view(tensors, _):
    return tensors.as_array().transpose(2, 1, 0)[5:]


def device_put_of_a_view(tensors, _):
    return jax.device_put(tensors.at(3))


def asarray_of_device_put(tensors, _):
    return np.asarray(jax.device_put(tensors.at(3)))


def dlpack_import(_, column):
    return put_column(column, jax.local_devices(backend="cpu")[0])


def dlpack_import_on_another_device(_, column):
    return put_column(column, jax.local_devices(backend="cpu")[5])


def asarray_of_dlpack_import(_, column):
    return np.asarray(put_column(column, jax.local_devices(backend="cpu")[0]))


# In these cases the user calls device_put: JAX releases the NumPy object at its next call.
NEEDS_A_CALL = (device_put_of_a_view, asarray_of_device_put)


@pytest.mark.parametrize(
    "keep",
    [
        sample_of_a_batch,
        array_of_a_sample,
        transposed_view,
        device_put_of_a_view,
        asarray_of_device_put,
        dlpack_import,
        dlpack_import_on_another_device,
        asarray_of_dlpack_import,
    ],
    ids=lambda f: f.__name__,
)
def test_what_is_kept_never_changes(turning, keep):
    kept = keep(*turning.take())
    gc.collect()
    before = np.array(kept)
    assert not turning.all_free
    turning.turn()
    gc.collect()
    np.testing.assert_array_equal(np.array(kept), before)
    assert not turning.all_free, "the slot was given back while it is read"

    del kept
    gc.collect()
    if keep in NEEDS_A_CALL:
        jax.device_put(1.0)
    deadline = time.monotonic() + 0.1
    while not turning.all_free and time.monotonic() < deadline:
        time.sleep(0.005)  # without a call to JAX: its own threads release the slot
    assert turning.all_free


def by_dlpack(column):
    return put_column(column, jax.local_devices(backend="cpu")[0])


def by_numpy(column):
    return column.dense()


@both
@pytest.mark.parametrize("operand", [by_dlpack, by_numpy], ids=lambda f: f.__name__)
def test_an_operand_of_a_running_program(turning, operand):
    @jax.jit
    def slow(x):
        # Reads its operand again and again, for some tenths of a second.
        step = lambda i, total: total + jnp.sum(x // (i + 1))  # noqa: E731
        return jax.lax.fori_loop(0, 600, step, jnp.int32(0))

    tensors, column = turning.take()
    expected = slow(np.array(tensors.as_array())).block_until_ready()
    running = slow(operand(column))
    del tensors, column
    gc.collect()
    turning.turn()
    assert running.block_until_ready() == expected
    deadline = time.monotonic() + 0.1
    while not turning.all_free and time.monotonic() < deadline:
        if operand is by_numpy:
            jax.device_put(1.0)  # JAX's threads release the operand a moment after the result is ready
        time.sleep(0.005)
    assert turning.all_free


def test_a_tensor_that_holds_nothing_only_tells_where_the_slot_is(turning):
    tensors, column = turning.take()
    lease, shape = column.lease, [1, column.lease.capacity]
    held, place = (jax.dlpack.from_dlpack(lease.tensor(0, shape, int(UINT8), holds=holds)) for holds in (True, False))
    assert {array.unsafe_buffer_pointer() for array in (held, place)} == {lease.address}
    del tensors, column, lease
    gc.collect()
    assert not turning.all_free
    del held
    gc.collect()
    assert turning.all_free and place.shape == tuple(shape)


def test_views_are_read_only(turning):
    tensors, _ = turning.take()
    for view in (tensors.at(0), tensors.as_array()):
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 1


def test_dense_batches_are_not_copied(turning):
    tensors, column = turning.take()
    assert column.layout is not None
    address = tensors.as_array().__array_interface__["data"][0]
    assert address == column.lease.address + int(column.offsets[0])
    array = put_column(column, jax.local_devices(backend="cpu")[0])
    assert array.unsafe_buffer_pointer() == address


@both
def test_a_consumer_who_keeps_everything_gets_copies(turning):
    kept = [turning.take()[0] for _ in range(20)]
    first = turning.iteration - 20
    assert turning.feed.copied_batches == 20 - turning.feed.options.max_leased
    for position, tensors in enumerate(kept):
        for row in range(BATCH):
            expected = contents((first + position) * BATCH + row)
            np.testing.assert_array_equal(tensors.at(row), expected)


def test_a_lease_outlives_its_ring(turning):
    tensors, column = turning.take()
    array = put_column(column, jax.local_devices(backend="cpu")[0])
    before = np.array(array)
    turning.feed.close()
    del tensors, column
    turning.feed = None
    gc.collect()
    np.testing.assert_array_equal(np.asarray(array), before)


def test_generations_name_a_slot_s_life(turning):
    seen = set()
    for _ in range(12):
        _, column = turning.take()
        assert column.lease.generation not in seen
        seen.add(column.lease.generation)


def test_batches_of_a_pipeline_stay_as_they_were():
    pipe = jaxdali.Pipeline(batch_size=BATCH)
    with pipe:
        pipe.set_outputs(fn.external_source(source, batch=False))
    kept = [pipe.run()[0] for _ in range(3)]
    samples = [kept[0][3], kept[1].at(3), kept[2].as_array().T]
    del kept
    gc.collect()
    before = [np.array(sample) for sample in samples]
    for _ in range(10):
        pipe.run()
    for sample, was in zip(samples, before, strict=True):
        np.testing.assert_array_equal(np.array(sample), was)
    pipe.close()


class _EndNotice(ctypes.Structure):
    """See ffi/ring/lease.h."""

    _fields_ = [("context", ctypes.c_void_p), ("tell", ctypes.CFUNCTYPE(None, ctypes.c_void_p))]


def test_who_asked_is_told_of_the_end_of_a_lease_once_and_before_the_slot_is_free():
    turning = Turning(0)
    _, column = turning.take()
    told = []
    tell = _EndNotice._fields_[1][1](lambda context: told.append((context, turning.all_free)))
    notice = _EndNotice(7, tell)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    column.lease.tell_at_end(new(ctypes.addressof(notice), b"jaxdali_notice", None))
    view = column.at(0)
    del column, _
    gc.collect()
    assert told == []
    del view
    gc.collect()
    assert told == [(7, False)] and turning.all_free
    turning.turn()
    assert len(told) == 1
    turning.feed.close()
