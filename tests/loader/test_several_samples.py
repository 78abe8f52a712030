"""Data that give several samples per call, in workers."""

import time

import numpy as np
import pytest

from jaxdali import Loader


class Slow:
    def __len__(self):
        return 16

    def __getitem__(self, index):
        if index == self.bad:
            raise OSError("unreadable")
        return {"x": np.float32(index)}

    def __getitems__(self, indices):
        time.sleep(0.1 * len(indices))
        return [self[index] for index in indices]

    def source_info(self, index):
        return f"file {index}"

    bad = None


def test_a_call_may_take_as_long_as_its_samples_would_alone():
    with Loader(Slow(), batch_size=16, workers=1, worker_timeout_s=1.0, worker_restarts=0, epochs=1) as loader:
        assert [batch["x"].tolist() for batch in loader] == [list(range(16))]


def test_an_error_names_the_sample_that_is_at_fault():
    data = Slow()
    data.bad = 5
    with Loader(data, batch_size=8, workers=0, epochs=1) as loader, pytest.raises(OSError) as caught:
        next(iter(loader))
    assert any(
        note.startswith("raised by the source of file 5, output 'x', sample 5,") for note in caught.value.__notes__
    )
