"""What each of several processes of one JAX program runs."""

from __future__ import annotations

import hashlib
import importlib
import os
import traceback
from typing import Any

DEVICES = 2  # per process


def join(process: int, processes: int, port: int, **options: Any) -> Any:
    """Connects the processes, once, and returns jax."""
    import jax

    if jax.distributed.is_initialized():
        return jax
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"
    jax.config.update("jax_platforms", "cpu")
    jax.distributed.initialize(f"localhost:{port}", processes, process, **options)
    assert (jax.process_count(), jax.local_device_count()) == (processes, DEVICES)
    return jax


def one_after_the_other(process: int, processes: int, port: int, calls: list[list[Any]]) -> list[Any]:
    """Returns what functions return, or how each failed. Connecting takes longer than most of them.

    Args:
        calls: lists of the name of a function, in this module unless it names another, and its arguments.
    """
    found = []
    for name, *arguments in calls:
        module, _, function = name.rpartition(".")
        try:
            found.append(
                getattr(importlib.import_module(module or __name__), function)(process, processes, port, *arguments)
            )
        except Exception:
            found.append({"failed": traceback.format_exc()})
    return found


def hashes(arrays: dict[str, Any]) -> list[list[Any]]:
    """Returns [name, first row, number of rows, hash] of what each device of this process holds."""
    import numpy as np

    found = []
    for name, array in sorted(arrays.items()):
        for shard in array.addressable_shards:
            start = (shard.index[0] if shard.index else slice(0)).start or 0
            data = np.ascontiguousarray(shard.data)
            found.append([name, start, len(data), hashlib.sha256(data.tobytes()).hexdigest()])
    return found


def mesh_of(jax: Any, replicas: int, kind: str = "Auto") -> Any:
    import numpy as np
    from jax.sharding import AxisType, Mesh

    devices = np.array(jax.devices()).reshape(-1, replicas)
    return Mesh(devices, ("data", "model"), axis_types=(AxisType[kind],) * 2)


def load(process: int, processes: int, port: int, replicas: int, step: int, workers: int, kind: str) -> Any:
    """Takes the steps of a Loader from `step` on, with their masks.

    Returns the hashes of this process's rows and the fingerprint of the batch for each step. The last batch of an epoch
    has two samples: where each process has rows of its own, those of the second process are padding.
    """
    jax = join(process, processes, port)
    from front_pipelines import masked_pixels, mixed_pixels
    from front_sources import Folder
    from jax.sharding import NamedSharding, PartitionSpec

    from jaxdali import Loader, fingerprint

    sharding = NamedSharding(mesh_of(jax, replicas, kind), PartitionSpec("data"))
    options = {"batch_size": 4, "shuffle": True, "seed": 3, "epochs": 2, "workers": workers}
    with Loader(Folder(), masked_pixels, mix=mixed_pixels, sharding=sharding, **options) as loader:
        loader.seek(step)
        batches = ({**batch, "mask of the step": loader.mask(step)} for step, batch in loader.enumerate())
        return [[hashes(batch), fingerprint(batch)] for batch in batches]


LOADER = {"batch_size": 8, "shuffle": True, "seed": 3, "epochs": 2}


def make_factory(sharding: Any, size: int = 24) -> Any:
    """Makes an iterator factory. Its source gives each shard its rows of the global batch of 8.

    Images are decoded, and random numbers are drawn.

    Args:
        size: samples of all processes together.
    """
    import front_sources
    import jax
    import numpy as np

    from jaxdali import fn
    from jaxdali.plugin.jax import data_iterator

    def mine(shard_id=0, num_shards=1):
        rows = 8 // num_shards

        def sample(info):
            index = info.iteration * 8 + shard_id * rows + info.idx_in_batch
            return front_sources.file(index), info.rng.random(2, np.float32)

        jpegs, numbers = fn.external_source(sample, num_outputs=2, batch=False)
        images = fn.flip(fn.decoders.image(jpegs, canvas=(72, 72)), horizontal=fn.random.coin_flip())
        return {"image": images, "number": numbers}

    return data_iterator(mine, size=size // jax.process_count(), sharding=sharding, auto_reset=True)


def fingerprints(process: int, processes: int, port: int) -> Any:
    """Returns the fingerprints of all batches of a Loader, and of two epochs of an iterator."""
    jax = join(process, processes, port)
    from front_pipelines import small_images
    from front_sources import Folder
    from jax.sharding import NamedSharding, PartitionSpec

    from jaxdali import Loader, fingerprint

    sharding = NamedSharding(mesh_of(jax, 1), PartitionSpec("data"))
    loader = Loader(Folder(), small_images, sharding=sharding, workers=0, **LOADER)
    iterator = make_factory(sharding)(batch_size=8, seed=5)
    return [
        [fingerprint(batch) for batch in loader],
        [fingerprint(batch) for _ in range(2) for batch in iterator],
    ]


def iterate(process: int, processes: int, port: int) -> Any:
    """Returns the hashes of this process's rows and the fingerprint, for each batch of a decorated iterator's epoch."""
    jax = join(process, processes, port)
    from jax.sharding import NamedSharding, PartitionSpec

    from jaxdali import fingerprint, fn
    from jaxdali.plugin.jax import data_iterator

    @data_iterator(reader_name="reader", sharding=NamedSharding(mesh_of(jax, 1), PartitionSpec("data")))
    def mine(shard_id, num_shards):
        files = ["/dev/null"] * 24
        _, labels = fn.readers.file(files=files, name="reader", shard_id=shard_id, num_shards=num_shards)
        return {"label": labels, "number": fn.random.uniform(range=(0.0, 1.0))}

    return [[hashes(batch), fingerprint(batch)] for batch in mine(batch_size=8, seed=5, py_num_workers=0)]


def end_early(process: int, processes: int, port: int) -> Any:
    """Returns the errors of iterators: one with a source of unknown length, one with a source that ends too early."""
    jax = join(process, processes, port)
    import numpy as np
    from jax.sharding import NamedSharding, PartitionSpec

    from jaxdali import ConfigError, SourceError, fn
    from jaxdali.plugin.jax import data_iterator

    sharding = NamedSharding(mesh_of(jax, DEVICES), PartitionSpec("data"))  # one part per process

    def mine(shard_id, num_shards):
        def sample(info):
            if info.iteration >= 3 - shard_id:
                raise StopIteration
            return np.zeros(1, np.float32)

        return {"x": fn.external_source(sample, batch=False)}

    try:
        data_iterator(mine, sharding=sharding)(batch_size=4)
        refused = None
    except ConfigError as error:
        refused = str(error)
    steps = 0
    iterator = data_iterator(mine, sharding=sharding, size=6)(batch_size=4)
    try:
        for _ in iterator:
            steps += 1
    except SourceError as error:
        return [refused, steps, str(error)]
    return [refused, steps, None]


def take_turns(process: int, processes: int, port: int, folder: str) -> Any:
    """Takes all batches of this process while later processes have taken none. Returns how many."""
    import pathlib
    import time

    jax = join(process, processes, port)
    from front_sources import Rows
    from jax.sharding import NamedSharding, PartitionSpec

    from jaxdali import Loader

    sharding = NamedSharding(mesh_of(jax, 1), PartitionSpec("data"))
    loader = Loader(Rows(16), batch_size=8, sharding=sharding, workers=0, epochs=4)
    iterator = make_factory(sharding)(batch_size=8, seed=5)
    while process and not pathlib.Path(folder, str(process - 1)).exists():
        time.sleep(0.01)
    steps = len(list(loader)), len(list(iterator))
    pathlib.Path(folder, str(process)).touch()
    return steps


def disagree(process: int, processes: int, port: int) -> Any:
    """Returns the errors of a Loader whose seed differs between processes, and of an iterator whose epochs do."""
    jax = join(process, processes, port)
    from front_sources import Rows
    from jax.sharding import NamedSharding, PartitionSpec

    from jaxdali import ConfigError, Loader

    sharding = NamedSharding(mesh_of(jax, 1), PartitionSpec("data"))
    said = []
    for make in (
        lambda: Loader(Rows(16), batch_size=8, sharding=sharding, seed=process, workers=0),
        lambda: make_factory(sharding, size=24 + 8 * process)(batch_size=8, seed=5),
    ):
        try:
            make()
        except ConfigError as error:
            said.append(str(error))
    return said


def sized(process: int, processes: int, port: int, size: int) -> Any:
    """Runs an epoch of `size` samples per process. Returns what its pipelines give, and the warnings."""
    jax = join(process, processes, port)
    import warnings

    from jax.sharding import NamedSharding, PartitionSpec

    from jaxdali import fn
    from jaxdali.plugin.jax import data_iterator

    @data_iterator(size=size, sharding=NamedSharding(mesh_of(jax, 1), PartitionSpec("data")))
    def mine(shard_id, num_shards):
        options = {"shard_id": shard_id, "num_shards": num_shards, "stick_to_shard": True}
        _, labels = fn.readers.file(files=["/dev/null"] * 24, **options)
        return {"label": labels}

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        iterator = mine(batch_size=8, seed=5, py_num_workers=0)
    labels = [
        int(label) for batch in iterator for part in batch["label"].addressable_shards for label in part.data[:, 0]
    ]
    return {"labels": labels, "warnings": [str(one.message) for one in caught if one.category is UserWarning]}


def texts() -> tuple[list[Any], Any]:
    """Returns samples of 1 to 16 tokens, and a sampler that batches them by bucket; leftovers share a batch, too."""
    import numpy as np

    from jaxdali.source import BucketSampler

    lengths = np.random.default_rng(0).integers(1, 17, 30)
    data = [{"ids": np.full(length, index, np.int32)} for index, length in enumerate(lengths.tolist())]
    return data, BucketSampler(lengths, 4, (4, 8, 16), seed=1)


def buckets(process: int, processes: int, port: int) -> Any:
    """Returns the width and fingerprint of each batch of an epoch."""
    jax = join(process, processes, port)
    from jax.sharding import NamedSharding, PartitionSpec

    from jaxdali import Loader, fingerprint

    data, sampler = texts()
    options = {"batch_size": 4, "epochs": 1, "sharding": NamedSharding(mesh_of(jax, 1), PartitionSpec("data"))}
    loader = Loader(data, sampler=sampler, ragged={"ids": sampler.widths}, workers=0, **options)
    return [[batch["ids"][0].shape[1], fingerprint(batch)] for batch in loader]


def evaluate(process: int, processes: int, port: int, local: bool) -> Any:
    """Returns how many samples of an epoch were right, and how many there were, as docs/schedules.md counts them; and the
    samples of each visit of a round.

    Args:
        local: each process has samples of its own, 5 and 10; otherwise both have the same 10.
    """
    jax = join(process, processes, port)
    import jax.numpy as jnp
    import numpy as np
    from front_sources import Rows
    from jax.sharding import NamedSharding, PartitionSpec

    from jaxdali import Loader, source

    @jax.jit
    def count(counts: Any, batch: Any) -> Any:
        right = (batch["x"] % 3 == 0) & batch["mask"]
        return counts[0] + jnp.sum(right), counts[1] + jnp.sum(batch["mask"])

    def augment(batch: Any, keys: Any, mask: Any) -> Any:
        return {"x": batch[:, 0], "mask": mask}

    rows = NamedSharding(mesh_of(jax, 1), PartitionSpec("data"))
    options = {"batch_size": 8, "epochs": 1, "sharding": rows, "workers": 0}
    counts = 0, 0
    data = Rows(5 * (process + 1)) if local else Rows(10)
    with Loader(data, augment, local_data=local, **options) as loader:
        for batch in loader:
            counts = count(counts, batch)
    visits = []
    if not local:
        sampler = source.GroupSampler([0, 4, 10], take=4, seed=3)
        with Loader(data, augment, sampler=sampler, **options) as loader:
            (batch,) = loader
            visits = [np.asarray(shard.data).tolist() for shard in batch["x"].addressable_shards]
    return [*map(int, counts), visits]
