"""Failures in a batch that says where to note them: the images are zeros, and callers get no status."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from damaged_files import FAILED, FILES, MAX_IMAGE_PIXELS

from jaxdali import ConfigError
from jaxdali._base.batch import Status
from jaxdali._device.image.failure_log import FailureLog, LoggedFailures
from jaxdali.image import EncodedBatch, decode, decode_resample

COUNT = len(FILES)
STATUSES = [Status[FAILED[index]] if index in FAILED else 0 for index in range(COUNT)]
GOOD_ONES = [index not in FAILED for index in range(COUNT)]


@pytest.fixture(scope="module")
def batch():
    return EncodedBatch.from_encoded(FILES, max_image_pixels=MAX_IMAGE_PIXELS)


def small(batch):
    return decode(batch, (60, 60))


# One object for all tests: JAX keeps what it traced of it, separately for each program.
jitted = jax.jit(small)


def run(function, batch, compiled=True):
    """Runs a function of a batch with notes. Returns its result and what was noted."""

    def program(batch):
        log = FailureLog(COUNT)
        outputs = function(dataclasses.replace(batch, failures=LoggedFailures(jnp.arange(COUNT), log)))
        return outputs, log.close()

    images, noted = (jax.jit(program) if compiled else program)(batch)
    return images, np.asarray(noted).tolist()


def are_there(images):
    return np.asarray(images).reshape(len(images), -1).any(axis=1).tolist()


def nothing(batch):
    return jnp.zeros((COUNT, 60, 60, 3), jnp.uint8)


def by_fours(batch):
    rows = jnp.arange(COUNT).reshape(4, 4)
    return jax.lax.scan(lambda carry, row: (carry, small(batch.take(row))), 0, rows)[1].reshape(COUNT, 60, 60, 3)


def rolled(batch):
    """Carries the batch through `scan`, all the way round."""
    by_four = jnp.roll(jnp.arange(COUNT), 4)
    return small(jax.lax.scan(lambda batch, _: (batch.take(by_four), None), batch, length=4)[0])


def loop(batch):
    return jax.lax.fori_loop(0, 2, lambda _, images: jnp.maximum(images, small(batch)), nothing(batch))


def chosen(batch):
    """The branches of one `cond` return batches; a branch of the next one decodes the result."""
    same = jax.lax.cond(batch.rows[0, 0] >= 0, lambda batch: batch, lambda batch: batch[::-1], batch)
    return jax.lax.cond(batch.rows[0, 0] >= 0, small, lambda batch: small(batch) + 1, same)


def of_parts(batch):
    return small(EncodedBatch.concatenate([jax.jit(lambda batch: batch[:7])(batch), batch[jnp.arange(7, COUNT)]]))


def derivative(batch):
    return jax.grad(lambda scale: (jax.checkpoint(small)(batch) * scale).sum())(jnp.ones((COUNT, 1, 1, 1)))


FUNCTIONS = {
    "decode": small,
    "decode_resample": lambda batch: decode_resample(batch, None, (8, 8), mean=0.0),
    "jit": jitted,
    "jit again": lambda batch: jnp.maximum(jitted(batch), jax.jit(jitted)(batch)),
    "closure": lambda batch: jax.jit(lambda: small(batch))(),
    "scan": by_fours,
    "scan carry": rolled,
    "loop": loop,
    "map": lambda batch: jax.lax.map(lambda index: small(batch.take(index[None]))[0], jnp.arange(COUNT)),
    "cond": chosen,
    "parts": of_parts,
    "vmap of pixels": lambda batch: jax.vmap(lambda image: image[::2])(small(batch)),
    "grad": derivative,
    "eval_shape": lambda batch: small(batch) + jnp.zeros(jax.eval_shape(small, batch).shape, jnp.uint8),
}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_failures_are_zeros_and_noted_wherever_they_are_decoded(batch, function):
    images, noted = run(function, batch)
    assert are_there(images) == GOOD_ONES
    assert noted == STATUSES


def test_without_jit(batch):
    images, noted = run(small, batch, compiled=False)
    assert are_there(images) == GOOD_ONES and noted == STATUSES


def test_only_what_is_decoded_is_noted(batch):
    def expected(*indices):
        return [STATUSES[index] if index in indices else 0 for index in range(COUNT)]

    assert run(lambda batch: batch.sizes, batch)[1] == expected()
    assert run(lambda batch: small(batch[6:12]), batch)[1] == expected(8, 11)
    images, noted = run(lambda batch: small(batch.take(jnp.array([2, 2, -1, 0, 99]))), batch)
    assert are_there(images) == [False, False, False, True, False] and noted == expected(2, 15)
    assert run(lambda batch: jax.lax.cond(batch.rows[0, 0] < 0, small, nothing, batch), batch)[1] == expected()


def test_the_first_failure_of_an_image_counts(batch):
    def twice(batch):
        return small(batch), decode(batch, (20, 20))

    noted = run(twice, batch)[1]
    assert noted == [status or Status.TOO_LARGE for status in STATUSES]


@pytest.mark.parametrize("large", [0, 1])
def test_an_image_that_is_there_twice_failed_if_either_did(batch, large):
    windows = np.int32([[0, 0, 10, 10]] * 2)
    windows[large, 2] = 999
    images, noted = run(lambda batch: decode_resample(batch.take([3, 3]), windows, (8, 8)), batch)
    assert are_there(images) == [large == 1, large == 0]
    assert noted == [Status.TOO_LARGE if index == 3 else 0 for index in range(COUNT)]


def test_what_is_said_counts_and_is_not_noted(batch):
    def pair(batch):
        return decode(batch, (60, 60), on_error="zeros")

    (images, status), noted = run(pair, batch)
    assert are_there(images) == GOOD_ONES and status.tolist() == STATUSES and not any(noted)
    with pytest.raises(jax.errors.JaxRuntimeError, match="row 1: TRUNCATED"):
        jax.block_until_ready(run(lambda batch: decode(batch, (60, 60), on_error="raise"), batch))
    with pytest.raises(jax.errors.JaxRuntimeError, match="row 1: TRUNCATED"):
        jax.block_until_ready(decode(batch, (60, 60)))
    with pytest.raises(ConfigError, match="'raise' or 'zeros', got 'skip'"):
        decode(batch, (60, 60), on_error="skip")


def test_images_of_others_are_zeros_and_not_noted(batch):
    own = EncodedBatch.from_encoded([b"no image", FILES[0]])
    images, noted = run(lambda batch: small(EncodedBatch.concatenate([own, batch[:2]])), batch)
    assert are_there(images) == [False, True, True, False]
    assert noted == [0, STATUSES[1]] + [0] * (COUNT - 2)


def test_rows_that_are_replaced_alone_are_refused(batch):
    with pytest.raises(ConfigError, match=r"noted for 16; choose images with batch\.take"):
        run(lambda batch: small(dataclasses.replace(batch, rows=batch.rows[:3], sizes=batch.sizes[:3])), batch)


def test_batches_of_two_programs_are_not_joined(batch):
    def both(batch):
        other = dataclasses.replace(batch, failures=LoggedFailures(jnp.arange(COUNT), FailureLog(COUNT)))
        return small(EncodedBatch.concatenate([batch, other]))

    with pytest.raises(ConfigError, match="batches of two loaders"):
        run(both, batch)
