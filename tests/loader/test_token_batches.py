"""Buckets and packed rows from worker processes: the same global batches for every reader.

That holds wherever a reader resumes, and when workers are killed or the reader is interrupted.
"""

import contextlib
import json

import jax
import numpy as np
import pytest
from interrupts import Interrupt
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from token_texts import LENGTHS, WIDTHS, Texts

from jaxdali import Loader, source
from jaxdali._feed.ring import feed, host_batch
from jaxdali._loader import loader, output_sharding, step_runner
from jaxdali._run.executor import exclusive_use, prefetch

BATCH, EPOCHS = 8, 2
FILES = tuple(
    str(module.__file__) for module in (host_batch, step_runner, feed, loader, prefetch, output_sharding, exclusive_use)
)
PLACES = 12  # how many of them are interrupted


def bucketed(data, **options):
    sampler = source.BucketSampler(LENGTHS, BATCH, WIDTHS, seed=3)
    return Loader(data, batch_size=BATCH, sampler=sampler, ragged={"ids": WIDTHS}, epochs=EPOCHS, **options)


def packed(data, **options):
    data.plain = True
    rows = source.pack(data, 24, lengths=LENGTHS, seed=3)
    return Loader(rows, batch_size=BATCH, shuffle=True, seed=4, epochs=EPOCHS, **options)


KINDS = {"bucketed": bucketed, "packed": packed}


@pytest.fixture(scope="module", params=KINDS)
def kind(request):
    return KINDS[request.param]


@pytest.fixture(scope="module")
def straight(kind):
    """Returns the batches of one device, read in its own thread, and the record before each of them."""
    batches, records = [], []
    reader = kind(Texts(), workers=0)
    records.append(reader.get_state())
    for batch in reader:
        batches.append(jax.device_get(batch))
        records.append(json.loads(json.dumps(reader.get_state())))
    return batches, records


def sharding(devices):
    return NamedSharding(Mesh(np.array(jax.devices("cpu")[:devices]), "x"), PartitionSpec("x"))


def check(batches, expected):
    for batch, wanted in zip(batches, expected, strict=True):
        assert jax.tree.structure(batch) == jax.tree.structure(wanted)
        jax.tree.map(np.testing.assert_array_equal, batch, wanted)


def test_all_tokens_come_once_an_epoch(kind, straight):
    batches, _ = straight
    per_epoch = len(batches) // EPOCHS
    for epoch in range(EPOCHS):
        found = []
        for batch in batches[epoch * per_epoch :][:per_epoch]:
            ids, real = batch["ids"], None
            if kind is bucketed:
                ids, shapes = ids
                real = np.arange(ids.shape[1]) < shapes
                assert ids.shape[1] == min(width for width in WIDTHS if width >= shapes.max())
            found.append(ids[batch["segment_ids"] > 0 if real is None else real])
        tokens = np.unique(np.concatenate(found))  # the last batch repeats rows
        np.testing.assert_array_equal(tokens, np.concatenate([Texts(plain=True)[k] for k in range(len(LENGTHS))]))


@pytest.mark.parametrize(("devices", "workers"), [(1, 1), (1, 3), (2, 2), (4, 1), (4, 3), (8, 2)])
def test_they_are_the_same_on_any_devices_and_workers_resumed_at_steps(kind, straight, devices, workers):
    batches, records = straight
    with kind(Texts(), workers=workers, sharding=sharding(devices)) as reader:
        reader.set_state(records[devices])  # before its workers start
        check(reader, batches[devices:])
        for step in range(devices + workers, len(batches), 5):  # different steps in each case
            reader.set_state(records[step])
            check([batch for _, batch in zip(range(2), reader, strict=False)], batches[step : step + 2])


def test_workers_that_are_killed_cost_no_batch(kind, straight, tmp_path):
    batches, records = straight
    with kind(Texts(str(tmp_path / "killed"), fatal=(5, 70)), workers=2, sharding=sharding(2)) as reader:
        reader.set_state(records[1])
        check(reader, batches[1:])
        assert reader.stats().worker_deaths == len(list(tmp_path.iterdir())) == 2


def test_an_interrupt_while_workers_read_costs_no_batch(kind, straight):
    batches, records = straight
    with kind(Texts(), workers=2) as reader:

        def run(at):
            """Takes the three batches from step 2 on; the first two may be interrupted."""
            reader.set_state(records[2])
            interrupt, steps, found = Interrupt(at, FILES), iter(reader), []
            while len(found) < 3:
                with contextlib.suppress(KeyboardInterrupt):
                    found.append(interrupt.call(lambda: next(steps)) if len(found) < 2 else next(steps))
            check(found, batches[2:5])
            return interrupt

        looked = run(0)
        assert {"step_runner.py", "feed.py", "prefetch.py", "exclusive_use.py"} <= looked.files
        assert looked.places > 100
        for at in range(1, looked.places + 1, looked.places // PLACES):
            assert run(at).places >= min(at, 50)
