"""Workers on a Ray cluster. With JAXDALI_REQUIRE_RAY=1 these tests fail where Ray is not installed."""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

import jax
import numpy as np
import pytest
from ray_cluster import Cluster
from remote_sources import LargeSamples, SlowSamples

import jaxdali.remote
from jaxdali import Loader, WorkerError

if importlib.util.find_spec("ray") is None:
    if os.environ.get("JAXDALI_REQUIRE_RAY") == "1":
        pytest.fail("JAXDALI_REQUIRE_RAY=1, but Ray is not installed", pytrace=False)
    pytest.skip("ray is not installed", allow_module_level=True)

# A head is given up after 45 s, and whoever waits is to know within this.
HEAD_S = 90.0


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    cluster = Cluster(machines=2)
    yield cluster
    cluster.close()


def loader(workers: Any) -> Loader:
    return Loader(SlowSamples(), None, batch_size=16, shuffle=True, seed=5, epochs=1, ragged=("ids",), workers=workers)


def check_same(found: Any, expected: Any) -> None:
    jax.tree.map(np.testing.assert_array_equal, jax.tree.map(np.asarray, found), jax.tree.map(np.asarray, expected))


def test_batches_are_the_same_while_actors_and_machines_come_and_go(cluster: Cluster) -> None:
    workers = jaxdali.remote.Ray(3, address=cluster.address)
    with loader(workers) as remote, loader(0) as local:
        for (step, batch), (other, expected) in zip(remote.enumerate(), local.enumerate(), strict=True):
            assert step == other
            check_same(batch, expected)
            if step in (3, 9):
                os.kill(cluster.do("actors")[0], signal.SIGKILL)
            elif step == 14:
                cluster.do("remove")
            elif step == 18:
                cluster.do("add")
    assert "ray" not in sys.modules


def test_a_store_smaller_than_the_pieces_of_several_couriers(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)  # what "auto" finds first
    workers = jaxdali.remote.Ray(2, couriers=2)
    with Loader(LargeSamples(), None, batch_size=16, epochs=1, workers=workers) as remote:
        batches = [np.asarray(batch) for batch in remote]
    found = np.concatenate([batch[:, :: 1 << 16] for batch in batches])
    np.testing.assert_array_equal(found, np.broadcast_to(np.arange(96)[:, None], found.shape))


@pytest.mark.thorough
def test_a_head_that_is_gone_is_named_and_the_state_goes_on_here() -> None:
    cluster = Cluster()
    try:
        with loader(jaxdali.remote.Ray(2, address=cluster.address)) as remote, loader(0) as local:
            iterator = iter(remote)
            for _ in range(4):
                next(iterator)
            state = remote.get_state()
            cluster.do("end head")
            for actor in cluster.do("actors"):
                os.kill(actor, signal.SIGKILL)  # which nobody can replace now
            began = time.monotonic()
            with pytest.raises(WorkerError, match=f"the head of the Ray cluster, {cluster.address}"):
                list(iterator)
            assert time.monotonic() - began < HEAD_S
            local.set_state(state)
            expected = next(iter(local))
        with loader(1) as here:
            here.set_state(state)
            check_same(next(iter(here)), expected)
    finally:
        cluster.close()
