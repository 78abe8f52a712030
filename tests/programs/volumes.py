"""Simulations for a JAX model: a callback makes cubes of a step and the next one, and arithmetic scales them."""

import jax
import jax.numpy as jnp
import numpy as np
from nvidia.dali import fn, pipeline_def, types
from nvidia.dali.plugin.jax import DALIGenericIterator


class VolumeSource:
    def __init__(self, steps, grid_size, batch_size):
        self.steps, self.grid_size, self.batch_size = steps, grid_size, batch_size

    def cube(self, step):
        axis = np.arange(self.grid_size, dtype=np.float32)
        return axis[:, None, None] + 10 * axis[None, :, None] + 100 * axis + 1000 * np.float32(step)

    def __call__(self, sample_info):
        if sample_info.iteration >= self.steps // self.batch_size:
            raise StopIteration
        step = sample_info.idx_in_epoch
        return self.cube(step)[None], self.cube(step + 1)[None], np.array([step, step + 1], np.int32)


@pipeline_def(batch_size=2, num_threads=2, device_id=None, py_start_method="spawn")
def volume_pipeline(source, grid_size):
    start, end, steps = fn.external_source(
        source=source,
        num_outputs=3,
        batch=False,
        dtype=[types.FLOAT, types.FLOAT, types.INT32],
        layout=["CDHW", "CDHW"],
    )
    mean = 1000.0 * fn.cast(steps[0], dtype=types.FLOAT)
    delta = end - start
    return (start - mean) / 128.0, delta, start[:, : grid_size // 2], steps


@jax.jit
def loss(start, end):
    return jnp.mean((end - start) ** 2)


def main(data):
    pipe = volume_pipeline(VolumeSource(6, 4, 2), 4)
    iterator = DALIGenericIterator(pipe, ["start", "delta", "half", "steps"], auto_reset=True)
    for epoch in range(2):
        for batch in iterator:
            yield batch
            yield loss(batch["start"], batch["delta"]).shape
