"""Each kind of data gives the same global batches at whatever step, devices and workers a Loader resumes."""

import numpy as np
import pytest

import jaxdali
from jaxdali import Loader, source

LENGTHS = np.random.default_rng(0).integers(1, 60, 50)
WIDTHS = (16, 32, 64)
ROWS = source.Arrays(x=np.arange(90, dtype=np.float32).reshape(45, 2), y=np.arange(45))


class Tokens:
    def __len__(self):
        return len(LENGTHS)

    def __getitem__(self, index):
        return {"ids": np.arange(LENGTHS[index], dtype=np.int32) + index}


class Drawn:
    def __len__(self):
        return 44

    def __getitem__(self, index, rng):
        return {"x": np.float32(index), "noise": rng.normal(size=3)}


class Several(Drawn):
    def __getitem__(self, index):
        return {"x": np.float32(index)}

    def __getitems__(self, indices):
        return [self[index] for index in indices]


def numbers(epoch):
    for number in np.random.default_rng(epoch).permutation(40):
        yield {"x": np.float32(number)}


def with_draws(batch, keys):
    return {**batch, "u": jaxdali.random.uniform(keys)}


KINDS = {
    "arrays": {"data": ROWS, "augment": with_draws, "shuffle": True},
    "subset": {"data": source.subset(ROWS, np.arange(40)[::-1]), "shuffle": True},
    "mixed": {"data": source.mix(ROWS, source.subset(ROWS, slice(10)), weights=[0.7, 0.3]), "shuffle": True},
    "weighted": {"data": ROWS, "sampler": source.WeightedSampler(np.arange(1, 46), seed=2)},
    "drawn on the host": {"data": Drawn(), "shuffle": True},
    "several a call": {"data": source.map(Several(), dict), "shuffle": True},
    "bucketed": {
        "data": Tokens(),
        "sampler": source.BucketSampler(LENGTHS, 8, WIDTHS, seed=3),
        "ragged": {"ids": WIDTHS},
    },
    "packed": {"data": source.pack(Tokens(), 64), "shuffle": True},
    "stream": {"data": source.Iterable(numbers, length=40)},
}


def make(kind, devices, workers):
    import jax  # not in the workers, which import this module
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    mesh = Mesh(np.array(jax.devices()[:devices]), ("part",))
    sharding = None if devices == 1 else NamedSharding(mesh, PartitionSpec("part"))
    return Loader(batch_size=8, seed=5, epochs=2, workers=workers, sharding=sharding, **KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_it_resumes_anywhere_at_every_step(kind):
    with make(kind, 1, 0) as loader:
        expected = [jaxdali.fingerprint(batch) for batch in loader]
    assert len(expected) >= 8
    states, found = [], []
    with make(kind, 4, 1) as loader:
        for _ in expected:
            states.append(loader.get_state())
            found.append(jaxdali.fingerprint(next(iter(loader))))
    assert found == expected
    for step, state in enumerate(states):
        with make(kind, (1, 2, 4, 8)[step % 4], (0, 2, 0, 0, 3, 0, 0)[step % 7]) as loader:
            loader.set_state(state)
            assert jaxdali.fingerprint(next(iter(loader))) == expected[step], step
