"""A worker that dies for good: its error is that of the batch it was making, and all batches before that one come."""

from __future__ import annotations

import os
import time

import numpy as np
import pytest
from processes import is_alive, until

from jaxdali import Loader, WorkerError

BATCH, BAD, LATER = 4, 17, 25


class Rows:
    def __len__(self):
        return 10 * BATCH

    def __getitem__(self, index):
        if index == BAD:
            os._exit(7)
        return {"n": np.int32(index)}


class Stream:
    def __iter__(self):
        return (Rows()[index] for index in range(10 * BATCH))


@pytest.mark.parametrize("is_noticed_early", [False, True])
@pytest.mark.parametrize(("data", "workers"), [(Rows(), 1), (Rows(), 3), (Stream(), 1)])
def test_all_batches_before_the_one_that_is_lost_come(data, workers, is_noticed_early):
    options = {"shuffle": False, "epochs": 1, "prefetch": 8, "worker_restarts": 0}
    with Loader(data, batch_size=BATCH, workers=workers, **options) as loader:
        if is_noticed_early:
            loader.start()
            pids = until(lambda: list(loader._step_runner.feeds[0].producer.pids.values()))
            until(lambda: not all(map(is_alive, pids)))
        found = []
        with pytest.raises(WorkerError, match="exit code 7"):
            found.extend(batch["n"].tolist() for batch in loader)
        # `extend` keeps what came before the error.
        assert found == np.arange(BAD // BATCH * BATCH).reshape(-1, BATCH).tolist()
        assert loader.step == BAD // BATCH


class BadTwice(Rows):
    """The worker that has the later sample dies first."""

    def __getitem__(self, index):
        if index == LATER:
            os._exit(8)
        if index == BAD:
            time.sleep(0.8)
        return super().__getitem__(index)


def test_each_of_two_batches_that_are_lost_has_its_own_error():
    options = {"shuffle": False, "epochs": 1, "prefetch": 8, "worker_restarts": 1}
    with Loader(BadTwice(), batch_size=BATCH, workers=3, **options) as loader:
        for first, bad, code in ((0, BAD, 7), (BAD // BATCH + 1, LATER, 8)):
            loader.seek(first)
            found = []
            with pytest.raises(WorkerError, match=f"exit code {code}; .* 2 workers died of it") as caught:
                found.extend(batch["n"].tolist() for batch in loader)
            assert found == np.arange(first * BATCH, bad // BATCH * BATCH).reshape(-1, BATCH).tolist()
            assert (caught.value.sample_index, caught.value.exit_code) == (bad, code)
            assert loader.step == bad // BATCH
