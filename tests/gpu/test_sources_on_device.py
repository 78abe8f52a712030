"""Sources that compute on a GPU, in a pipeline on the host: their own library copies what they return to the host."""

from __future__ import annotations

import numpy as np
import pytest

import jaxdali as dali
from jaxdali import errors, fn

pytestmark = pytest.mark.gpu

SHAPE = (64, 1000, 3)


def heavy(xp, index: int):
    """Returns an array that is still being computed."""
    value = xp.full(SHAPE, index, xp.float32)
    for _ in range(50):
        value = value * 1 + 0
    return value


def cupy_array(index):
    return heavy(pytest.importorskip("cupy"), index)


def jax_array(index):
    import jax.numpy as jnp

    return heavy(jnp, index)


def torch_tensor(index):
    torch = pytest.importorskip("torch")
    value = torch.full(SHAPE, float(index), device="cuda")
    for _ in range(50):
        value = value * 1 + 0
    return value


MAKERS = {"cupy": cupy_array, "jax": jax_array, "torch": torch_tensor}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_samples_and_batches_arrive_whole(make):
    @dali.pipeline_def(batch_size=4)
    def graph():
        sample = fn.external_source(lambda info: make(info.idx_in_epoch), batch=False)
        dense = fn.external_source(lambda iteration: make(iteration)[:4])
        listed = fn.external_source(lambda iteration: [make(iteration)] * 4)
        return sample, dense, listed

    with graph() as pipe:
        for iteration in range(5):
            sample, dense, listed = (output.as_array() for output in pipe.run())
            assert sample.shape == listed.shape == (4, *SHAPE) and dense.shape == (4, *SHAPE[1:])
            assert (sample == np.arange(4 * iteration, 4 * iteration + 4)[:, None, None, None]).all()
            assert (dense == iteration).all() and (listed == iteration).all()


def test_a_process_that_uses_cuda_is_not_forked():
    pytest.importorskip("cupy").zeros(1)

    @dali.pipeline_def(batch_size=2, py_num_workers=1)
    def graph():
        return fn.external_source(lambda info: np.int32([info.idx_in_epoch]), parallel=True)

    with pytest.raises(errors.StateError, match="Cannot fork a process when the CUDA has been initialized"):
        graph(py_start_method="fork").start_py_workers()
    with graph() as pipe:  # no start method given: another one is chosen
        assert pipe.run()[0].as_array()[:, 0].tolist() == [0, 1]
