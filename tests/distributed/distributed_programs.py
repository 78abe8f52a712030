"""What each of several processes of one JAX program does."""

from __future__ import annotations

import hashlib
import os
from typing import Any

DEVICES = 2  # of each process


def _join(process: int, processes: int, port: int) -> Any:
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax

    jax.distributed.initialize(f"localhost:{port}", processes, process)
    assert (jax.process_count(), jax.local_device_count()) == (processes, DEVICES)
    return jax


def hashes(arrays: dict[str, Any]) -> list[list[Any]]:
    """[name, first row, hash] of the rows that each device of this process holds."""
    import numpy as np

    found = []
    for name, array in sorted(arrays.items()):
        for shard in array.addressable_shards:
            start = (shard.index[0] if shard.index else slice(0)).start or 0
            data = np.ascontiguousarray(shard.data)
            found.append([name, start, len(data), hashlib.sha256(data.tobytes()).hexdigest()])
    return found


def _mesh(jax: Any, replicas: int) -> Any:
    import numpy as np
    from jax.sharding import Mesh

    return Mesh(np.array(jax.devices()).reshape(-1, replicas), ("data", "model"))


def load(process: int, processes: int, port: int, replicas: int, step: int, workers: int) -> Any:
    """Steps of a Loader from `step` on, as the hashes of this process's rows and the fingerprint of the batch."""
    jax = _join(process, processes, port)
    from front_pipelines import small_images
    from front_sources import Folder
    from jax.sharding import NamedSharding, PartitionSpec

    from jaxdali import Loader, fingerprint

    sharding = NamedSharding(_mesh(jax, replicas), PartitionSpec("data"))
    options = {"batch_size": 4, "shuffle": True, "seed": 3, "epochs": 2, "workers": workers}
    with Loader(Folder(), small_images, sharding=sharding, **options) as loader:
        loader.seek(step)
        return [[hashes(batch), fingerprint(batch)] for batch in loader]


LOADER = {"batch_size": 8, "shuffle": True, "seed": 3, "epochs": 2}


def make_factory(sharding: Any) -> Any:
    """An iterator's, over a source that gives each shard its rows of the global batch of 8: decoded, drawn at random."""
    import front_sources
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

    return data_iterator(mine, size=24, sharding=sharding, auto_reset=True)


def fingerprints(process: int, processes: int, port: int) -> Any:
    """Of all batches of a Loader, and of those of two epochs of an iterator."""
    jax = _join(process, processes, port)
    from front_pipelines import small_images
    from front_sources import Folder
    from jax.sharding import NamedSharding, PartitionSpec

    from jaxdali import Loader, fingerprint

    sharding = NamedSharding(_mesh(jax, 1), PartitionSpec("data"))
    loader = Loader(Folder(), small_images, sharding=sharding, workers=0, **LOADER)
    iterator = make_factory(sharding)(batch_size=8, seed=5)
    return [
        [fingerprint(batch) for batch in loader],
        [fingerprint(batch) for _ in range(2) for batch in iterator],
    ]


def iterate(process: int, processes: int, port: int) -> Any:
    """An epoch of a decorated iterator, as the hashes of this process's rows and the fingerprint of the batch."""
    jax = _join(process, processes, port)
    from jax.sharding import NamedSharding, PartitionSpec

    from jaxdali import fingerprint, fn
    from jaxdali.plugin.jax import data_iterator

    @data_iterator(reader_name="reader", sharding=NamedSharding(_mesh(jax, 1), PartitionSpec("data")))
    def mine(shard_id, num_shards):
        files = ["/dev/null"] * 24
        _, labels = fn.readers.file(files=files, name="reader", shard_id=shard_id, num_shards=num_shards)
        return {"label": labels, "number": fn.random.uniform(range=(0.0, 1.0))}

    return [[hashes(batch), fingerprint(batch)] for batch in mine(batch_size=8, seed=5, py_num_workers=0)]


def disagree(process: int, processes: int, port: int) -> Any:
    """What a Loader says whose seed is the process's own."""
    jax = _join(process, processes, port)
    from front_sources import Rows
    from jax.sharding import NamedSharding, PartitionSpec

    from jaxdali import ConfigError, Loader

    sharding = NamedSharding(_mesh(jax, 1), PartitionSpec("data"))
    try:
        Loader(Rows(16), batch_size=8, sharding=sharding, seed=process, workers=0)
    except ConfigError as error:
        return str(error)
    return None
