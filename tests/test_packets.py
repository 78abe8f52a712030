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

from jaxdali import DecodeError, Loader, fn, pipeline_def
from jaxdali._base.batch import Row
from jaxdali._device.ffi.compat import local_gpus
from jaxdali._run.executor.device_io import device_placement, packets
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

    def spoil(self):
        for _, address, _, size in self._parts:
            ctypes.memset(address, 0x7B, size)


@pytest.fixture
def made(monkeypatch):
    """Has packets used on CPUs, and spoils those that come back; a list of them."""
    found = []

    class Watched(packets.Packet):
        def __init__(self, *given):
            super().__init__(*given)
            found.append(self)

    class Spoiling(packets.Packets):
        def take_back(self, packet):
            assert not any(other is packet for unused in self._unused.values() for other in unused)
            packet._upload.spoil()
            super().take_back(packet)

    make = device_placement._Placement.__init__

    def with_packets(self, devices, cut, origin):
        make(self, devices, cut, origin)
        self._packets = Spoiling(cut)

    monkeypatch.setattr(packets, "cuda_module", lambda: types.SimpleNamespace(upload=Upload))
    monkeypatch.setattr(packets, "Packet", Watched)
    monkeypatch.setattr(device_placement._Placement, "__init__", with_packets)
    monkeypatch.setattr(device_placement.OneDevice, "packs", True)
    return found


def sample(index, file=GOOD):
    # Of a size of its own: a decoder does not look behind the end of an image.
    return {"image": file + bytes(index), "label": np.int32(index), "row": np.full(3, index, np.float32)}


def several(devices):
    cut = NamedSharding(Mesh(np.array((local_gpus() or jax.devices())[:devices]), "p"), PartitionSpec("p"))
    return {"sharding": cut} if devices > 1 else {}


def of_rows(batch, keys):
    files = batch["image"]
    return {**batch, "image": decode(files, (60, 60)).sum((1, 2, 3)), "rows": files.rows, "sizes": files.sizes}


def check_kept_batches(devices):
    samples = BATCH * BATCHES
    options = {"workers": 0, "shuffle": True, "epochs": 2, "prefetch": 3, **several(devices)}
    with Loader(Mapped(sample, samples), of_rows, batch_size=BATCH, **options) as loader:
        kept = list(loader)
    numbers = [[], []]
    for step, batch in enumerate(kept):
        labels = np.asarray(batch["label"])
        np.testing.assert_array_equal(batch["row"], np.repeat(labels[:, None], 3, 1))
        rows = np.asarray(batch["rows"])
        assert (rows[:, Row.SIZE] == len(GOOD) + labels).all()
        assert (batch["sizes"] > 0).all() and (np.asarray(batch["image"]) > 0).all()
        numbers[2 * step // len(kept)] += labels.tolist()
    assert [sorted(of_epoch) for of_epoch in numbers] == [[*range(samples)]] * 2 and numbers[0] != numbers[1]


@pytest.mark.parametrize("devices", [1, 2])
def test_batches_stay_as_they_were_handed_out(made, devices):
    check_kept_batches(devices)
    assert 0 < len(made) <= 5  # as many as steps are under way


@pytest.mark.parametrize("devices", [pytest.param(1, marks=pytest.mark.gpu), pytest.param(2, marks=pytest.mark.gpu(2))])
def test_batches_on_gpus_stay_as_they_were_handed_out(devices):
    check_kept_batches(devices)


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


def test_a_batch_without_files_needs_no_packet(made):
    batches = iter([[GOOD] * 2, [], [GOOD] * 3])

    @pipeline_def(batch_size=3, num_threads=1, device_id=None, prefetch_queue_depth=1)
    def program():
        files = fn.external_source(lambda: [np.frombuffer(file, np.uint8) for file in next(batches)], batch=True)
        return fn.decoders.image(files)

    pipe = program()
    assert [len(pipe.run()[0]) for _ in range(3)] == [2, 0, 3]
    assert len(made) == 2
