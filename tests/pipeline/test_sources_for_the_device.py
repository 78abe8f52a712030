"""External sources with device="gpu" and data in host memory: the data appear on the pipeline's device, and nothing
else changes. tests/gpu/test_gpu_inputs.py has the tests of data that are in GPU memory already.
"""

import functools

import numpy as np
import pytest

from jaxdali import ConfigError, GraphError, Pipeline, SourceDataError, StateError, fn, types
from jaxdali._dali.tensors import gpu_input
from jaxdali._feed.source.gpu_batches import HeldSource
from jaxdali.backend import TensorListCPU

BATCH = 4


def pipeline(draw, **options):
    pipe = Pipeline(batch_size=BATCH, seed=3, **options)
    with pipe:
        pipe.set_outputs(*draw())
    return pipe


def values(outputs):
    return [np.asarray(sample).tolist() for sample in outputs[0]]


def ragged(index):
    return [np.full((2 + (index + k) % 3, 3), 10 * index + k, np.int16) for k in range(BATCH)]


@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize(
    "data", [lambda k: np.full((BATCH - k % 2, 5), k, np.float32), ragged], ids=["dense", "ragged"]
)
def test_fed_sequential_and_parallel_sources_give_what_they_give_on_the_host(data, depth):
    def fed(device):
        return [fn.external_source(name="x", device=device, layout="AB"[: np.ndim(data(0)[0])])]

    def called(device):
        return [fn.external_source(data, device=device, batch=True)]

    def iterated(device):
        return [fn.external_source(iter([data(k) for k in range(5)]), device=device, batch=True)]

    for draw in (fed, called, iterated):
        host, device = (
            pipeline(functools.partial(draw, where), prefetch_queue_depth=depth) for where in ("cpu", "gpu")
        )
        for step in range(5):
            if draw is fed:
                for pipe in (host, device):
                    pipe.feed_input("x", data(step))
            expected, found = host.run(), device.run()
            assert values(found) == values(expected)
            assert found[0].dtype == expected[0].dtype and found[0].layout() == expected[0].layout()
            assert isinstance(found[0], TensorListCPU)  # there is no GPU here
        if draw is iterated:
            with pytest.raises(StopIteration):
                device.run()


def test_workers_write_for_the_device_too():
    pipe = pipeline(lambda: [fn.external_source(sample, device="gpu", parallel=True)], py_num_workers=1)
    assert [values(pipe.run())[0] for _ in range(3)] == [[0, 0], [4, 4], [8, 8]]
    pipe.close()


def sample(info):
    return np.full(2, info.idx_in_epoch)


def test_several_outputs_and_what_is_computed_of_them():
    def source(iteration):
        return np.full((3, 2), iteration, np.uint8), np.arange(3) + iteration

    def draw():
        pixels, label = fn.external_source(source, num_outputs=2, device="gpu", dtype=[types.UINT8], ndim=1)
        return [pixels + np.uint8(1), label, pixels]

    with pytest.raises(SourceDataError, match="expected data with 1 dimensions and got 0"):
        pipeline(draw).run()

    def right():
        pixels, label = fn.external_source(source, num_outputs=2, device="gpu", dtype=[types.UINT8], ndim=[1, 0])
        assert pixels.device == label.device == "gpu"
        return [pixels + np.uint8(1), label, pixels]

    pipe = pipeline(right)
    for iteration in range(4):
        more, label, pixels = pipe.run()
        assert values([more]) == [[iteration + 1] * 2] * 3 and values([pixels]) == [[iteration] * 2] * 3
        assert values([label]) == [iteration, iteration + 1, iteration + 2]


@pytest.mark.parametrize("no_copy", [False, True])
def test_what_is_fed_is_copied_at_once_unless_that_is_refused(no_copy):
    pipe = pipeline(lambda: [fn.external_source(name="x", device="gpu", no_copy=no_copy)], prefetch_queue_depth=1)
    buffer = np.zeros((BATCH, 2), np.int32)
    for value in range(4):
        buffer[:] = value
        pipe.feed_input("x", buffer)
    assert [values(pipe.run())[0][0] for _ in range(4)] == ([3, 3, 3, 3] if no_copy else [0, 1, 2, 3])


def test_push_mode_behaves_as_on_the_host():
    pipe = pipeline(lambda: [fn.external_source(name="x", device="gpu", repeat_last=True)])
    (node,) = pipe._jaxdali_session.definition.graph().outputs
    assert node.name == "x" and node.device == "gpu"
    with pytest.raises(StateError, match="peek the data batch"):
        pipe.run()
    pipe.feed_input(node, np.full((2, 1), 7))
    assert [values(pipe.run()) for _ in range(3)] == [[[7], [7]]] * 3
    with pytest.raises(SourceDataError, match="unexpected batch size"):
        pipe.feed_input("x", np.zeros((BATCH + 1, 1)))
    with pytest.raises(SourceDataError, match="at least one sample"):
        pipe.feed_input("x", [])
    with pytest.raises(SourceDataError, match="same type as the target batch"):
        pipe.feed_input("x", [np.zeros(2, np.int8), np.zeros(2, np.int16)])
    with pytest.raises(SourceDataError, match="same number of dimensions"):
        pipe.feed_input("x", [np.zeros(2), np.zeros((2, 2))])
    assert values(pipe.run(x=np.full((1, 1), 8))) == [[8]]


def test_what_an_epoch_had_made_ahead_is_not_kept_for_ever():
    pipe = pipeline(lambda: [fn.external_source(lambda k: np.full((2, 1), k), device="gpu")], prefetch_queue_depth=3)
    for _ in range(20):
        assert [values(pipe.run())[0] for _ in range(2)] == [[0], [1]]
        pipe.reset()
    (feed,) = pipe._jaxdali_session.feeds
    (batches,) = feed.served.source.held_batches
    assert isinstance(feed.served.source, HeldSource) and len(batches._batches) <= 4


def test_iterables_give_again_what_nobody_saw():
    pipe = pipeline(
        lambda: [fn.external_source(iter([np.full((2, 1), k) for k in range(8)]), device="gpu", batch=True)],
        prefetch_queue_depth=3,
    )
    seen = []
    for _ in range(4):
        seen += [values(pipe.run())[0][0] for _ in range(2)]
        pipe.reset()
    assert seen == list(range(8))


def test_what_does_not_go_is_said():
    import jax  # not at the top, because workers import this module

    with pytest.raises(ConfigError, match='"cpu" or "gpu", got \'mixed\''):
        pipeline(lambda: [fn.external_source(name="x", device="mixed")])
    with pytest.raises(GraphError, match='leave out device="gpu" of the external_source'):
        pipeline(lambda: [fn.decoders.image(fn.external_source(name="x", device="gpu"), device="mixed")])
    with jax.enable_x64(False):
        large = pipeline(lambda: [fn.external_source(name="x", device="gpu")])
        large.feed_input("x", np.full((2, 1), 1 << 40))
        with pytest.raises(SourceDataError, match="do not fit int32"):
            large.run()


def test_lists_of_arrays_on_the_host_are_not_taken_for_the_gpu():
    import jax

    assert not gpu_input.lies_on_gpu([np.zeros(2), jax.numpy.zeros(2), b"bytes"])
    assert not gpu_input.lies_on_gpu(np.zeros(2))
