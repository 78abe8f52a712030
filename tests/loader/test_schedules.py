"""What augment and mix are given by name, the step and the epoch: the Loader's position, however it came there."""

import functools
import json

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flax import nnx
from front_sources import Rows
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from jaxdali import ConfigError, ConfigTypeError, Loader, source
from jaxdali._base.named_parameters import named_parameters

OPTIONS = {"batch_size": 4, "shuffle": True, "seed": 3, "epochs": 3, "workers": 0}


def scheduled(batch, keys, mask, *, epoch, step=7):
    """Each row says where augment was told that the Loader stands; a default makes no difference."""
    assert (step.dtype, step.shape, epoch.dtype, epoch.shape) == (jnp.uint32, (), jnp.uint32, ())
    return {"x": batch[:, 0], "augment": jnp.full(mask.shape, step * 100 + epoch)}


def mixed(batch, key, step, epoch):
    return {**batch, "mix": jnp.full_like(batch["augment"], step * 100 + epoch)}


def make(parts=0, mix=mixed, augment=scheduled, **options):
    if parts:
        options["sharding"] = NamedSharding(Mesh(np.array(jax.devices("cpu")[:parts]), "x"), PartitionSpec("x"))
    return Loader(Rows(10), augment, mix=mix, **{**OPTIONS, **options})


def told(batch, name="augment"):
    (one,) = np.unique(batch[name])
    return divmod(int(one), 100)


STRAIGHT = [(step, step // 3) for step in range(9)]


def test_they_are_told_the_step_through_all_epochs_by_one_program():
    loader = make()
    for step, batch in loader.enumerate():
        assert told(batch) == told(batch, "mix") == STRAIGHT[step]
    compiled = [loader._step_runner.executor._dispatcher._compiled, loader._mixer._compiled]
    assert [program._cache_size() for program in compiled] == [1, 1]


@pytest.mark.parametrize(("parts", "workers"), [(0, 2), (2, 0), (4, 0)])
def test_it_is_the_same_after_a_resume_by_others(parts, workers):
    first = make()
    straight = [jax.device_get(batch) for batch in first]
    first.seek(5)
    record = json.loads(json.dumps(first.get_state()))
    with make(parts, workers=workers) as loader:
        for put in (lambda: loader.seek(2), lambda: loader.set_state(record), lambda: loader.seek(0)):
            put()
            begin = loader.step
            for batch, expected in zip(loader, straight[begin : begin + 3], strict=False):
                jax.tree.map(np.testing.assert_array_equal, jax.device_get(batch), expected)
        assert [told(batch) for batch in loader.epoch(2)] == STRAIGHT[6:]
        assert told(loader.at(4)) == STRAIGHT[4] and loader.step == 9


def test_a_step_beyond_32_bits_begins_anew():
    loader = make(epochs=None)
    loader.seek(3 * (1 << 32) + 1)
    batch = next(iter(loader))
    epoch, _ = divmod(loader.step - 1, 3)
    assert told(batch) == told(batch, "mix") == divmod((1 * 100 + epoch) % (1 << 32), 100)


def test_checks_of_rows_are_told_too():
    assert told(next(iter(make(debug_rows=True)))) == STRAIGHT[0]


def test_streams_have_steps_and_epochs_if_these_have_a_length():
    def numbers():
        yield from ({"x": np.float32(k)} for k in range(10))

    def steps(batch, keys, step):
        return {"augment": jnp.full(len(keys), step * 100)}

    with Loader(numbers, steps, batch_size=4, epochs=2, workers=0) as loader:
        assert [told(batch) for batch in loader] == [(step, 0) for step in range(5)]
        loader.seek(3)
        assert told(next(iter(loader))) == (3, 0)
    for augment, mix in ((scheduled, None), (None, lambda batch, key, epoch: batch)):
        with pytest.raises(
            ConfigError, match="has a parameter `epoch`, but it is not known where an epoch of this stream"
        ):
            Loader(numbers, augment, mix=mix, batch_size=4, workers=0)
    with Loader(source.Iterable(numbers, length=10), plain, batch_size=4, epochs=3, workers=0) as loader:
        assert [told(batch) for batch in loader] == STRAIGHT


def plain(batch, keys, step, epoch=0):
    return {"augment": jnp.full(len(keys), step * 100 + epoch)}


class Callable:
    def __call__(self, batch, keys, step):
        return batch

    method = __call__
    bound = functools.partialmethod(__call__, step=3)


class Module(nnx.Module):
    """A module with weights."""

    def __init__(self):
        self.scale = nnx.Param(jnp.full(2, 3.0))

    def __call__(self, batch, keys, *, step):
        return {"x": batch * self.scale, "step": jnp.full(len(keys), step)}


def with_step(batch, keys, step):
    return batch


def without(batch, keys):
    return batch


def around(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        return function(*args, **kwargs)

    return call


def closing(function):
    @functools.wraps(function)
    def call(batch, keys):  # its signature is taken to be that of `function`
        return function(batch, keys, step=3)

    return call


@pytest.mark.parametrize(
    ("function", "names"),
    [
        (with_step, ["step"]),
        (without, []),
        (None, []),
        (lambda batch, keys, epoch, mask: batch, ["mask", "epoch"]),
        (lambda batch, keys, *, step: batch, ["step"]),
        (lambda batch, keys, step=0: batch, ["step"]),  # a default is for other callers
        (lambda batch, *args, **kwargs: batch, []),
        (lambda batch, keys, *step: batch, []),
        (lambda batch, keys, **step: batch, []),
        (lambda batch, keys, step=0, /: batch, []),
        (lambda step, keys: step, []),  # the batch, whatever its name
        (functools.partial(with_step, step=3), []),
        (functools.partial(lambda other, batch, keys, step: batch, 1), ["step"]),
        (functools.partial(lambda batch, keys, step, other: batch, other=1), ["step"]),
        (functools.partial(functools.partial(with_step), step=3), []),
        (jax.jit(with_step), ["step"]),
        (jax.jit(functools.partial(with_step, step=3)), []),
        (functools.partial(jax.jit(with_step), step=3), []),
        (jax.checkpoint(with_step), ["step"]),
        (nnx.jit(with_step), ["step"]),
        (nnx.jit(functools.partial(with_step, step=3)), []),
        (Callable(), ["step"]),
        (Callable().method, ["step"]),
        (Callable().bound, []),
        (functools.partial(Callable(), step=3), []),
        (jax.jit(Callable().method), ["step"]),
        (Module(), ["step"]),
        (Module().__call__, ["step"]),
        (around(with_step), ["step"]),
        (closing(with_step), []),
        (around(closing(with_step)), []),
        (closing(around(with_step)), []),
        (dict, []),
        (range, []),
    ],
)
def test_which_parameters_are_given(function, names):
    assert [*named_parameters(function, ("mask", "step", "epoch"), 1)] == names


@pytest.mark.parametrize(
    ("augment", "expected"),
    [
        (functools.partial(plain, step=5, epoch=6), [(5, 6)] * 9),
        (jax.jit(functools.partial(plain, step=5)), [(5, step // 3) for step in range(9)]),
        (closing(plain), [(3, 0)] * 9),
        (jax.jit(plain), STRAIGHT),
    ],
    ids=["partial", "jit of a partial", "wrapper", "jit"],
)
def test_what_is_bound_stays_as_it_is(augment, expected):
    assert [told(batch) for batch in make(augment=augment, mix=None)] == expected


def test_a_module_is_told_too():
    batches = [*make(augment=Module(), mix=None)]
    assert [int(step) for batch in batches for step in batch["step"]] == [step for step in range(9) for _ in range(4)]
    order = source.ShuffleSampler(10, 3).indices(0, range(4))
    np.testing.assert_array_equal(batches[0]["x"][:, 0], 3 * order)


def test_errors_say_how_it_is_passed():
    for given in ({"augment": lambda batch, step: batch}, {"mix": lambda batch, epoch: batch}):
        with pytest.raises(
            ConfigTypeError, match=r"and (mask, )?step, epoch by name where it has such parameters, but it"
        ):
            make(**given)
    with pytest.raises(ConfigTypeError, match="mix is called with"):
        make(mix=lambda batch, key, mask: batch)
    for wrong in (functools.partial(without, 1), around(functools.partial(without, 1)), around(lambda batch: batch)):
        with pytest.raises(ConfigTypeError, match="augment is called with"):
            make(augment=wrong)
    with pytest.raises(ValueError, match="vmap") as raised:
        make(augment=jax.vmap(lambda row, key, step: row))
    assert "jax.vmap(row, (0, 0, None))(batch, keys, step)" in raised.value.__notes__[-1]
