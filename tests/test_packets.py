"""What reaches GPUs in memory that is used again is that of its own batch, also where a user keeps it."""

from __future__ import annotations

import ctypes
import types

import jax
import numpy as np
import pytest
from damaged_files import GOOD
from front_sources import Mapped
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from jaxdali import DecodeError, Loader
from jaxdali._base.batch import Row
from jaxdali._run.executor.device_io import device_placement, packets
from jaxdali._run.executor.device_io.packed import Packed
from jaxdali.image import decode

BATCH, BATCHES = 4, 9


class Upload:
    """Like that of the CUDA module, to arrays in the host's memory; copies as late as it may."""

    def __init__(self, arrays, parts):
        self._arrays, self._parts = arrays, parts
        self._memory = np.zeros(max(start + size for _, _, start, size in parts), np.uint8)

    def memory(self):
        return self._memory

    def start(self):
        pass

    def wait(self):
        for _, address, start, size in self._parts:
            ctypes.memmove(address, self._memory[start:].ctypes.data, size)


@pytest.fixture
def made(monkeypatch):
    """Has packets used on CPUs; a list of them."""
    found = []

    class Watched(packets.Packet):
        def __init__(self, *given):
            super().__init__(*given)
            found.append(self)

    def send(self, rows, small, again):
        return (
            self._packets.send((rows, Packed.of(small))) if again else packets.Sent(self.put((rows, Packed.of(small))))
        )

    monkeypatch.setattr(packets, "cuda_module", lambda: types.SimpleNamespace(upload=Upload))
    monkeypatch.setattr(packets, "Packet", Watched)
    monkeypatch.setattr(device_placement.OneDevice, "packs", True)
    monkeypatch.setattr(device_placement._Placement, "send", send)
    return found


def sample(index, file=GOOD):
    # Of a size of its own: a decoder does not look behind the end of an image.
    return {"image": file + bytes(index), "label": np.int32(index), "row": np.full(3, index, np.float32)}


def several(devices):
    cut = NamedSharding(Mesh(np.array(jax.devices()[:devices]), "p"), PartitionSpec("p"))
    return {"sharding": cut} if devices > 1 else {}


def of_rows(batch, keys):
    files = batch["image"]
    return {**batch, "image": decode(files, (60, 60)).sum((1, 2, 3)), "rows": files.rows, "sizes": files.sizes}


@pytest.mark.parametrize("devices", [1, 2])
def test_batches_stay_as_they_were_handed_out(made, devices):
    samples = BATCH * BATCHES
    options = {"workers": 0, "shuffle": True, "epochs": 2, "prefetch": 3, **several(devices)}
    with Loader(Mapped(sample, samples), of_rows, batch_size=BATCH, **options) as loader:
        kept = list(loader)
    assert 0 < len(made) <= 5  # as many as steps are under way
    numbers = [[], []]
    for step, batch in enumerate(kept):
        labels = np.asarray(batch["label"])
        np.testing.assert_array_equal(batch["row"], np.repeat(labels[:, None], 3, 1))
        rows = np.asarray(batch["rows"])
        assert (
            (rows[:, Row.SIZE] == len(GOOD) + labels).all()
            and (batch["sizes"] > 0).all()
            and (np.asarray(batch["image"]) > 0).all()
        )
        numbers[2 * step // len(kept)] += labels.tolist()
    assert [sorted(of_epoch) for of_epoch in numbers] == [[*range(samples)]] * 2 and numbers[0] != numbers[1]


@pytest.mark.parametrize("devices", [1, 2])
def test_a_packet_of_a_failed_step_is_used_again_only_if_its_program_has_ended(made, devices):
    data = Mapped(lambda index: sample(index, GOOD if index % 8 else GOOD[:200]), BATCH * BATCHES)
    with Loader(data, of_rows, batch_size=BATCH, workers=0, epochs=1, prefetch=1, **several(devices)) as loader:
        batches, failed = iter(loader), 0
        for step in range(BATCHES):
            try:
                labels = np.asarray(next(batches)["label"])
                assert labels.tolist() == [*range(BATCH * step, BATCH * (step + 1))]
            except DecodeError as error:
                failed += 1
                assert error.origin.sample_index == BATCH * step
    # For several devices the program that names the image has run, which every device did after the one that failed.
    assert failed == 5 and len(made) == (5 if devices == 1 else 1)
