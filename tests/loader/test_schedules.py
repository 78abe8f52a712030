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


@pytest.mark.parametrize(
    ("name", "value"), [("debug_rows", True), ("devices", jax.devices("cpu")[:2]), ("agree", True)]
)
def test_it_is_told_with_other_options_too(name, value):
    loader = make(**{name: value})
    loader.seek(5)
    batch = next(iter(loader))
    assert told(batch) == told(batch, "mix") == STRAIGHT[5]


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


def of_size(size):
    def augment(batch, keys, step):
        return {"x": jnp.tile(batch[:, :1], (1, size)), "keys": jax.random.key_data(keys), "step": step}

    return augment


def with_sizes(data=None, **options):
    return Loader(data or Rows(10), **{**OPTIONS, "augment": of_size(2), **options})


def test_a_loader_of_another_size_goes_on_where_one_stopped():
    """Whatever does not decide which samples a step has may differ."""
    straight = [jax.device_get(batch) for batch in with_sizes()]
    first = with_sizes()
    for _ in zip(range(5), first, strict=False):
        pass
    others = {"workers": 1, "prefetch": 1, "epochs": None, "on_error": "zeros"}
    with with_sizes(augment=of_size(6), **others) as second:
        second.set_state(first.get_state())
        for batch, expected in zip(second, straight[5:], strict=False):
            np.testing.assert_array_equal(batch["x"], np.tile(expected["x"][:, :1], (1, 6)))
            np.testing.assert_array_equal(batch["keys"], expected["keys"])
            assert batch["step"] == expected["step"]
        assert second.step == 10
    for wrong in ({"batch_size": 5}, {"seed": 4}, {"shuffle": False}, {"last_batch": "drop"}, {"data": Rows(11)}):
        with pytest.raises(ConfigError, match="the state does not fit this Loader"):
            with_sizes(**wrong).set_state(first.get_state())


@pytest.mark.parametrize("length", [48, 50])
@pytest.mark.parametrize(("old", "new"), [(4, 8), (8, 4), (4, 6), (12, 8)])
@pytest.mark.parametrize("last_batch", ["mask", "drop"])
def test_a_loader_of_another_batch_size_goes_on_at_the_same_sample(length, old, new, last_batch):
    def make(size):
        return Loader(Rows(length), **{**OPTIONS, "batch_size": size}, last_batch=last_batch)

    before, after = make(old), make(new)
    order = source.ShuffleSampler(length, 3)
    for step in range(0, len(before), 3):
        epoch, taken = divmod(step, before.steps_per_epoch)
        after.seek(epoch * after.steps_per_epoch + taken * old // new)
        if length == 48 and 48 % old == 48 % new == 0:
            assert after.step == step * old // new, "the short form"
        sample = taken * old // new * new
        assert taken * old - new < sample <= taken * old
        if sample < after.steps_per_epoch * new:
            rows = np.asarray(next(iter(after)))[: length - sample, 0]
            np.testing.assert_array_equal(rows, order.indices(epoch, np.arange(sample, min(sample + new, length))))


class Recorded:
    """A sampler that records its calls."""

    def __init__(self, length):
        self.length, self.calls = length, []

    def __len__(self):
        return self.length

    def indices(self, epoch, positions):
        assert type(epoch) is int and positions.dtype == np.int64
        self.calls.append((epoch, positions.tolist()))
        return positions


def test_a_sampler_is_called_as_its_page_says():
    sampler = Recorded(22)
    loader = Loader(Rows(22), batch_size=8, sampler=sampler, epochs=2, last_batch="mask", workers=0)
    assert sampler.calls == []
    list(loader)
    epoch = [[*range(8)], [*range(8, 16)], [16, 17, 18, 19, 20, 21, 16, 17]]
    assert sampler.calls == [(number, positions) for number in (0, 1) for positions in epoch]
    sampler.calls.clear()
    loader.set_state(loader.get_state())
    assert sampler.calls == [(0, [*range(22)])]
