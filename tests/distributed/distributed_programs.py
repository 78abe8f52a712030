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
    """Steps of a Loader from `step` on, as the hashes of this process's rows. The last batch of an epoch has two samples:
    where each process has rows of its own, the second one's are all padding.
    """
    jax = _join(process, processes, port)
    from front_pipelines import masked_pixels
    from front_sources import Folder
    from jax.sharding import NamedSharding, PartitionSpec

    from jaxdali import Loader

    sharding = NamedSharding(_mesh(jax, replicas), PartitionSpec("data"))
    options = {"batch_size": 4, "shuffle": True, "seed": 3, "epochs": 2, "workers": workers}
    with Loader(Folder(), masked_pixels, sharding=sharding, **options) as loader:
        loader.seek(step)
        return [hashes({**batch, "mask of the step": loader.mask(step)}) for step, batch in loader.enumerate()]


def iterate(process: int, processes: int, port: int) -> Any:
    """An epoch of a decorated iterator, as the hashes of this process's rows."""
    jax = _join(process, processes, port)
    from jax.sharding import NamedSharding, PartitionSpec

    from jaxdali import fn
    from jaxdali.plugin.jax import data_iterator

    @data_iterator(reader_name="reader", sharding=NamedSharding(_mesh(jax, 1), PartitionSpec("data")))
    def mine(shard_id, num_shards):
        files = ["/dev/null"] * 24
        _, labels = fn.readers.file(files=files, name="reader", shard_id=shard_id, num_shards=num_shards)
        return {"label": labels, "number": fn.random.uniform(range=(0.0, 1.0))}

    return [hashes(batch) for batch in mine(batch_size=8, seed=5, py_num_workers=0)]


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


def sized(process: int, processes: int, port: int, size: int) -> Any:
    """An epoch of `size` samples of each process: what its pipelines give, and what is warned of."""
    jax = _join(process, processes, port)
    import warnings

    from jax.sharding import NamedSharding, PartitionSpec

    from jaxdali import fn
    from jaxdali.plugin.jax import data_iterator

    @data_iterator(size=size, sharding=NamedSharding(_mesh(jax, 1), PartitionSpec("data")))
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
