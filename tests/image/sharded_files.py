"""A batch of files spread over several devices, for tests that each part is decoded where it lies."""

from __future__ import annotations

import jax
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P
from jpeg_files import pillow_jpeg

from jaxdali.image import EncodedBatch

FILES = [pillow_jpeg(20 + k, 40 - k) for k in range(16)]


def make_sharded(axis_type, mesh_shape=(4, 2), files=FILES) -> EncodedBatch:
    """Makes a batch with as many parts as the mesh's first axis has, each with its own bytes."""
    mesh = jax.make_mesh(mesh_shape, ("data", "model"), axis_types=(axis_type,) * 2)
    sharding = NamedSharding(mesh, P("data"))
    per_part = len(files) // mesh_shape[0]
    parts = [EncodedBatch.from_encoded(files[k : k + per_part]) for k in range(0, len(files), per_part)]
    arrays = (np.concatenate([getattr(part, name) for part in parts]) for name in ("bytes", "rows", "sizes"))
    return EncodedBatch(*jax.device_put(tuple(arrays), sharding), sharding)
