"""Couriers and their actors, on a cluster of processes: what holds of local workers holds of them."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import re
import signal
import subprocess
import sys
from typing import Any

import jax
import numpy as np
import pytest
from remote_sources import Failing, Hanging, Samples, load, load_batch

import jaxdali.fn as fn
import jaxdali.remote
from jaxdali import ConfigError, Loader, SourceError, WorkerError, pipeline_def
from jaxdali._feed.remote import courier_pool, silence_watch
from jaxdali._feed.remote.settings import Versions

BATCH = 12


@pytest.fixture(autouse=True)
def _processes_as_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courier_pool, "_MODULE", "process_courier")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)


def batches(data: object, workers: Any, on_step: Any = None, state: Any = None, **how: Any) -> list[Any]:
    made = []
    options = {"batch_size": BATCH, "shuffle": True, "seed": 5, "epochs": 2, "ragged": ("ids",), "last_batch": "mask"}
    with Loader(data, None, workers=workers, **{**options, **how}) as loader:
        if state is not None:
            loader.set_state(state)
        for step, batch in loader.enumerate():
            made.append((step, jax.tree.map(np.asarray, batch)))
            if on_step is not None:
                on_step(step, loader)
    return made


def check_same(found: list[Any], expected: list[Any]) -> None:
    assert [step for step, _ in found] == [step for step, _ in expected]
    for (_, one), (_, other) in zip(found, expected, strict=True):
        jax.tree.map(np.testing.assert_array_equal, one, other)


def test_batches_are_those_of_local_workers_when_actors_and_couriers_die(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(silence_watch, "_LEAST_S", 2.0)
    expected = batches(Samples(), 0)
    states = {}

    def end_one(step: int, loader: Loader) -> None:
        states[step] = loader.get_state()
        if step in (2, 4):
            (courier,) = loader._step_runner.feeds[0].producer.pids.values()
            os.kill(courier, signal.SIGSTOP if step == 2 else signal.SIGKILL)

    data = Samples(tmp_path, deadly=(7, 30, 31))
    # With little ahead, so that the courier is missed before the second strike.
    workers = jaxdali.remote.Ray(3, batches_ahead=1)
    check_same(batches(data, workers, end_one, worker_timeout_s=2), expected)
    assert "did not answer for 2 s (worker_timeout_s)" in caplog.text
    assert {file.name for file in tmp_path.iterdir()} == {"7", "30", "31"}
    # A state goes both ways.
    check_same(batches(Samples(), 0, state=states[6]), expected[7:])


@pytest.mark.thorough
def test_several_couriers_share_the_work() -> None:
    check_same(batches(Samples(), jaxdali.remote.Ray(3, couriers=2)), batches(Samples(), 0))


def errors(workers: Any) -> list[Exception]:
    found = []
    with Loader(Failing(), None, batch_size=BATCH, workers=workers, worker_restarts=1, epochs=1) as loader:
        for step in range(3):
            loader.seek(step)
            with pytest.raises((SourceError, WorkerError)) as info:
                next(iter(loader))
            found.append(info.value)
    return found


def test_errors_are_those_of_local_workers() -> None:
    of_sources, there = errors(2), errors(jaxdali.remote.Ray(2))
    for here, other in zip(of_sources, there, strict=True):
        assert type(here).__mro__[:1] == type(other).__mro__[:1] or type(here).__name__ == type(other).__name__
        assert (here.origin.sample_index, here.origin.iteration) == (other.origin.sample_index, other.origin.iteration)
    raised, died, refused = there
    assert isinstance(raised, KeyError) and "there is no fifth" in str(raised)
    assert "its process ended with -9" in str(died) and "2 actors died of it (worker_restarts)" in str(died)
    assert str(refused).split(" [")[0] == str(of_sources[2]).split(" [")[0]


def test_an_actor_that_hangs_is_ended_and_its_sample_named() -> None:
    with pytest.raises(WorkerError, match=r"no progress for 1 s \(worker_timeout_s\).*sample 40") as info:
        batches(Hanging(), jaxdali.remote.Ray(2), shuffle=False, worker_timeout_s=1, worker_restarts=0)
    assert info.value.origin.sample_index == 40


@pipeline_def(batch_size=8, seed=3)
def two_sources_and_a_reader(folder: pathlib.Path) -> Any:
    return (
        fn.readers.numpy(file_root=str(folder), random_shuffle=True),
        fn.external_source(source=load, batch=False, parallel=True),
        fn.external_source(source=load_batch, batch=True, parallel=True),
    )


def outputs(folder: pathlib.Path, workers: Any) -> list[Any]:
    made = []
    with two_sources_and_a_reader(folder, py_num_workers=workers) as pipe:
        for _ in range(2):
            for _ in range(3):
                made += [[np.asarray(lists.at(row)) for row in range(len(lists))] for lists in pipe.run()]
            with pytest.raises(StopIteration):
                pipe.run()
            pipe.reset()
    return made


def test_parallel_sources_and_readers_of_a_pipeline(tmp_path: pathlib.Path) -> None:
    for number in range(20):
        np.save(tmp_path / f"{number}.npy", np.full((number % 3 + 1, 2), number))
    jax.tree.map(np.testing.assert_array_equal, outputs(tmp_path, jaxdali.remote.Ray(2)), outputs(tmp_path, 2))


def test_sources_that_remember_where_they_were_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"has to be asked in order.*__getitem__.*local workers"):
        Loader(jaxdali.source.Iterable([np.zeros(2)] * 24), batch_size=4, workers=jaxdali.remote.Ray(2))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"address": "ray://head:10001"}, r"one of Ray Client.*ray start --address"),
        ({"address": "local"}, "local workers do the same"),
        ({"address": "head"}, "neither 'auto' nor a host and a port"),
        ({"num_workers": 0}, "num_workers must be an integer, at least 1"),
        ({"couriers": 5}, "couriers must be an integer, at least 1 and at most 4"),
        ({"num_cpus": -1}, "num_cpus must be a number"),
        ({"runtime_env": {"pip": {1, 2}}}, "runtime_env must be a dict of what JSON has"),
    ],
)
def test_arguments_are_checked(arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(ConfigError, match=text):
        jaxdali.remote.Ray(**{"num_workers": 4, **arguments})


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=re.escape('pip install "jaxdali[ray]"')):
        jaxdali.remote.Ray(4)


def test_secrets_of_the_environment_are_not_shown() -> None:
    assert "hidden" not in repr(jaxdali.remote.Ray(1, runtime_env={"env_vars": {"TOKEN": "hidden"}}))


def test_versions_are_compared() -> None:
    assert Versions("3.11", "1.0", "2.9").difference(Versions("3.12", "1.0", "2.8")) == (
        "Python 3.11 here and 3.12 there, Ray 2.9 here and 2.8 there"
    )
    assert not Versions.here().difference(Versions.here())


def test_neither_the_program_nor_an_actor_loads_what_it_must_not() -> None:
    code = (
        "import sys, jaxdali.remote, jaxdali._feed.remote.courier_pool, jaxdali._feed.remote.actor\n"
        "print([name for name in ('ray', 'jax') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
