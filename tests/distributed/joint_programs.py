"""What several processes run that share a Loader: one of them fails, or each has data of its own."""

from __future__ import annotations

import os
import time
from typing import Any

from distributed_programs import join, mesh_of
from processes import until

# How long a process may need to learn of another one's failure.
TOLD_S = 10.0
STEPS, BATCH = 5, 8  # of an epoch; 4 rows of each batch for each of two processes
BAD_STEP = 2


class Faulty:
    """Samples, one of which cannot be read, or decoded."""

    def __init__(self, kind: str, bad: int):
        self.kind, self.bad = kind, bad

    def __len__(self) -> int:
        return STEPS * BATCH

    def __getitem__(self, index: int) -> dict[str, Any]:
        import front_sources
        import numpy as np

        image, shape = front_sources.FILES[index % len(front_sources.FILES)], (1,)
        if index == self.bad:
            if self.kind == "raises":
                raise ValueError("broken sample")
            if self.kind == "dies" and index:
                os._exit(3)
            if self.kind == "corrupt":
                image = b"not an image"
            if self.kind == "ragged":
                shape = (2,)
        return {"image": image, "n": np.full(shape, index, np.int32)}


def small(batch: dict[str, Any], keys: Any) -> dict[str, Any]:
    import jaxdali

    return {"image": jaxdali.image.open(batch["image"]).resize(size=(4, 4)).array(), "n": batch["n"]}


def sharding_of(jax: Any) -> Any:
    from jax.sharding import NamedSharding, PartitionSpec

    return NamedSharding(mesh_of(jax, 1), PartitionSpec("data"))


def own_rows(array: Any) -> list[int]:
    import numpy as np

    shards = sorted(array.addressable_shards, key=lambda shard: shard.index[0].start or 0)
    return np.concatenate([np.asarray(shard.data).reshape(-1) for shard in shards]).tolist()


def until_told(loader: Any) -> None:
    """Waits until this process knows that another one has failed."""
    until(lambda: loader._step_runner.together._end._watch.failure is not None, TOLD_S)


def kind_of(error: Exception) -> str:
    import jaxdali.errors

    return next(kind.__name__ for kind in type(error).__mro__ if kind.__name__ in jaxdali.errors.__all__)


def fail(process: int, processes: int, port: int, kind: str, failing: int, agree: bool) -> Any:
    """Takes an epoch in which a sample of one process is bad. After two errors in a row tries to go on behind them.

    Returns what came: steps, or the error's class, the process that it names and the step at which the Loader stood.
    """
    jax = join(process, processes, port)
    from jaxdali import Loader

    bad = BAD_STEP * BATCH + failing * BATCH // processes + 1
    workers = int(kind in ("raises", "dies"))
    options = {"batch_size": BATCH, "epochs": 1, "sharding": sharding_of(jax), "agree": agree, "worker_restarts": 0}
    found: list[Any] = []
    with Loader(Faulty(kind, bad), small, workers=workers, **options) as loader:
        steps = loader.enumerate()
        while True:
            if process != failing and not agree and loader.step == BAD_STEP:
                until_told(loader)
            try:
                step, batch = next(steps)
            except StopIteration:
                break
            except Exception as error:
                found.append([kind_of(error), getattr(error, "process", None), loader.step, str(error)])
                if len(found) > STEPS + 2:
                    break
                if len(found) > BAD_STEP + 1 and not isinstance(found[-2], int):  # the second error: nothing comes
                    try:
                        loader.seek(loader.step + 1)
                    except Exception as refused:
                        found.append([kind_of(refused), None, loader.step, str(refused)])
                        break
            else:
                assert own_rows(batch["n"])[0] == step * BATCH + process * BATCH // processes
                found.append(step)
        return found, loader.get_state()["step"]


def cannot_be_made(process: int, processes: int, port: int) -> list[str]:
    """Returns why Loaders that differ between the processes, or fail in one of them, cannot be made."""
    jax = join(process, processes, port)
    import front_sources
    import numpy as np

    from jaxdali import Loader, source

    class Bad(front_sources.Rows):
        def __getitem__(self, index: int) -> Any:
            if process == 1:
                raise OSError("no such disk here")
            return front_sources.Rows.__getitem__(self, index)

    class Odd(front_sources.Rows):
        def __getitem__(self, index: int) -> Any:
            return np.zeros(2 + process, np.float32)

    def augment(batch: Any, keys: Any) -> Any:
        if process == 1:
            raise ValueError("not on this host")
        return batch

    rows, sharding = front_sources.Rows(16), sharding_of(jax)
    texts = [{"ids": np.full(1 + index % 5, index, np.int32)} for index in range(16)]
    said = []
    for options in (
        {"data": front_sources.Rows(16 + process)},
        {"data": Bad(16)},
        {"data": Odd(16)},
        {"data": rows, "augment": augment},
        {"data": rows, "prefetch": process},
        {"data": rows, "epochs": 2 + process},
        {"data": rows, "agree": bool(process)},
        {"data": rows, "sampler": source.WeightedSampler(np.arange(16) + 10.0 * process)},
        {"data": source.subset(rows, range(process, 8 + process))},
        {"data": texts, "ragged": {"ids": (4, 8)}},
        {"data": texts, "ragged": ("ids",)},
        {"data": rows, "sharding": None},
        {"data": rows, "sharding": None, "devices": jax.local_devices()},
        {"data": rows, "last_batch": "drop" if process else "mask"},
        {"data": rows, "batch_size": 8 * (1 - process)},
        {"data": rows, "sharding": None if process else sharding},
        {"data": rows, "sharding": "data" if process else sharding},
    ):
        try:
            Loader(**{"batch_size": 8, "sharding": sharding, "workers": 0, **options})
            said.append("was made")
        except Exception as error:
            said.append(f"{type(error).__name__}: {error}")
    # Where augment makes one shape of all widths, there is nothing to refuse.
    fixed = Loader(
        texts,
        lambda batch, keys: batch["ids"][1],
        ragged=("ids",),
        batch_size=8,
        epochs=1,
        sharding=sharding,
        workers=0,
    )
    assert len(list(fixed)) == 2
    return said


def local_rows(process: int, processes: int, port: int, kind: str, last_batch: str, resume_at: int) -> Any:
    """Takes two epochs of data that only this process has, from a step on.

    Returns for each step the numbers and names of this process's rows, which are real according to `augment`, and
    according to `Loader.mask`; then steps per epoch, the state before, and draws.
    """
    jax = join(process, processes, port)
    import numpy as np

    from jaxdali import Loader, random, source

    mine = [100 * process + number for number in range((11, 5, 8, 3)[process])]

    def sample(number: int) -> dict[str, Any]:
        return {"n": np.int32(number), "name": f"row {number}"}

    def stream() -> Any:
        return (sample(number) for number in mine)

    def augment(batch: Any, keys: Any, mask: Any) -> Any:
        return {**batch, "mask": mask, "draw": random.uniform(keys)}

    data = source.Iterable(stream, length=len(mine)) if kind == "stream" else [sample(number) for number in mine]
    options: dict[str, Any] = {"shuffle": True, "seed": 3} if kind == "shuffled" else {}
    if kind == "devices":
        options |= {"devices": jax.local_devices(), "batch_size": 4}
    else:
        options |= {"sharding": sharding_of(jax), "batch_size": 4 * processes}
    options |= {"epochs": 2, "local_data": True, "last_batch": last_batch}
    with Loader(data, augment, workers=0, **options) as loader:
        state = loader.get_state()
        loader.set_state({**state, "step": resume_at})
        found = []
        for step, batch in loader.enumerate():
            assert len(batch["name"].reshape(-1)) == 4
            rows = [own_rows(batch[name]) for name in ("n", "mask", "draw")]
            found.append([*rows, batch["name"].reshape(-1).tolist(), own_rows(loader.mask(step))])
        return found, loader.steps_per_epoch, state


def other_local_data(process: int, processes: int, port: int) -> list[str]:
    """Returns why states of local data do not fit other ones, and why some shardings cannot have them."""
    jax = join(process, processes, port)
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    from jaxdali import Loader, source

    def rows(count: int) -> list[Any]:
        return [{"n": np.int32(number), "name": "row"} for number in range(count)]

    model_first = Mesh(np.array(jax.devices()).reshape(2, -1), ("model", "data"))
    shared = NamedSharding(model_first, PartitionSpec("data"))
    stream = source.Iterable(lambda shard_id, num_shards: rows(4), shards=2)
    own, options = rows((11, 5, 8, 3)[process]), {"batch_size": BATCH, "epochs": 2, "local_data": True, "workers": 0}
    state = Loader(own, sharding=sharding_of(jax), **options).get_state()
    said = []
    for data, sharding, record in (
        (own, sharding_of(jax), state),
        (rows(9), sharding_of(jax), state),
        (own, sharding_of(jax), {**state, "processes": processes + 2}),
        (rows(8), shared, None),
        (stream, sharding_of(jax), None),
        (source.Iterable(lambda: rows(4)), sharding_of(jax), None),
    ):
        try:
            Loader(data, sharding=sharding, **options).set_state(record)
            said.append("fits")
        except Exception as error:
            said.append(f"{type(error).__name__}: {error}")
    return said


def opens_own_shards(process: int, processes: int, port: int) -> Any:
    """Returns which shards this process opened, and the samples of two steps."""
    jax = join(process, processes, port)
    import numpy as np

    from jaxdali import Loader, source

    opened = []

    def shard(shard_id: int, num_shards: int) -> Any:
        opened.append(shard_id)
        return ({"n": np.int32(100 * shard_id + number)} for number in range(20))

    with Loader(
        source.Iterable(shard, shards=2), batch_size=8, sharding=sharding_of(jax), workers=0, last_batch="drop"
    ) as loader:
        batches = iter(loader)
        return [own_rows(next(batches)["n"]) for _ in range(2)], sorted(set(opened))


class Steady:
    """Data that may change their length, or may not go to workers."""

    def __init__(self, goes: bool = True):
        self.length, self.goes = 24, goes

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> Any:
        import numpy as np

        return np.full(1, index, np.int32)

    def __reduce__(self) -> Any:
        if not self.goes:
            raise TypeError("these data do not travel")
        return object.__reduce__(self)


def go_apart(process: int, processes: int, port: int, how: str, agree: bool) -> list[Any]:
    """The first process does something that the others do not. Returns the rows of each step, or what was raised."""
    jax = join(process, processes, port)
    from jaxdali import Loader

    data = Steady(how != "does not travel" or process != 0)
    options = {"batch_size": BATCH, "epochs": 1, "sharding": sharding_of(jax), "agree": agree}
    found: list[Any] = []
    with Loader(data, workers=int(how == "does not travel"), **options) as loader:
        if how == "seek" and process == 0:
            loader.seek(1)
        if how == "start":
            if process == 0:
                loader.start()
            loader.seek(1)
        steps = loader.enumerate()
        while True:
            try:
                step, batch = next(steps)
            except StopIteration:
                return found
            except Exception as error:
                return [*found, f"{kind_of(error)}: {error}"]
            found.append([step, *own_rows(batch)])
            if how == "grow" and process == 0:
                data.length += 1
            if how == "break" and process == 0:
                loader.seek(2)
            if not agree:
                time.sleep(1.0)


def states_of_local_streams(process: int, processes: int, port: int) -> Any:
    """Returns the state after two steps of streams that know where they stand, and the rows that follow, for both."""
    jax = join(process, processes, port)
    import numpy as np

    from jaxdali import Loader, source

    class Skipping:
        """Every second number, in the second process."""

        def __init__(self) -> None:
            self.at = 0

        def __iter__(self) -> Any:
            return Skipping()

        def __next__(self) -> Any:
            if self.at > 60:
                raise StopIteration
            self.at += 1 + process
            return np.full(1, 100 * process + self.at, np.int32)

        def get_state(self) -> int:
            return self.at

        def set_state(self, state: int) -> None:
            self.at = state

    class Numbers:
        def __iter__(self) -> Any:
            return Skipping()

    def made() -> Any:
        data = source.Iterable(Numbers())
        return Loader(data, batch_size=BATCH, sharding=sharding_of(jax), local_data=True, workers=0)

    with made() as loader:
        steps = iter(loader)
        next(steps), next(steps)
        state = loader.get_state()
        rest = own_rows(next(steps))
    with made() as loader:
        loader.set_state(state)
        return state, rest, own_rows(next(iter(loader)))
