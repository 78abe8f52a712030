"""Batches that are already in GPU memory: fed in the order of the user's stream, never through the host."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdali as dali
from jaxdali import ConfigError, Pipeline, SourceDataError, fn

pytestmark = pytest.mark.gpu

ITERATIONS = 10_000
BATCH = 8
SHAPE = (BATCH, 64, 48)
BYTES = int(np.prod(SHAPE)) * 4  # of float32


class OnlyInterface:
    """An array that offers the CUDA array interface and nothing else: it cannot be copied to the host."""

    def __init__(self, array):
        self.kept = array
        self.__cuda_array_interface__ = array.__cuda_array_interface__


class OnlyDlpack:
    def __init__(self, array):
        self.kept = array

    def __dlpack__(self, **arguments):
        return self.kept.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.kept.__dlpack_device__()


class Protocol:
    """A stream that offers CUDA's protocol for streams."""

    def __init__(self, stream):
        self.kept = stream

    def __cuda_stream__(self):
        return 0, self.kept.ptr


@pytest.fixture(scope="module")
def cupy():
    return pytest.importorskip("cupy")


def fed(compute=lambda node: node, depth=2, **options):
    pipe = Pipeline(batch_size=BATCH, device_id=0, seed=1, prefetch_queue_depth=depth)
    with pipe:
        pipe.set_outputs(compute(fn.external_source(name="x", device="gpu", **options)))
    return pipe


def on_host(outputs):
    return [np.asarray(sample) for sample in outputs[0]]


@jax.jit
def wrong(bad, data, value):
    """Counts elements other than `value` on the device, so that nothing waits for it."""
    return bad + (data != value).sum()


@jax.jit
def load(a):
    return a @ a * jnp.bfloat16(0.01)


@pytest.mark.parametrize("way", ["dense", "kernel", "list", "no_copy"])
def test_a_stream_is_followed_without_a_race_under_load(cupy, way):
    """Fills the buffer in a stream that has other work to do, feeds it, and overwrites it at once, while JAX's stream
    is busy, too. A copy that comes too early or too late, or memory freed too early, would make some element wrong.
    """
    count = ITERATIONS if way == "dense" else ITERATIONS // 4
    stream = cupy.cuda.Stream(non_blocking=True)
    pipe = fed(lambda node: node + np.float32(1), no_copy=way == "no_copy")
    busy = jnp.ones((2048, 2048), jnp.bfloat16)
    with stream:
        matrix = cupy.ones((1024, 1024), cupy.float32)
        buffer = cupy.zeros(SHAPE, cupy.float32)
    bad = jnp.zeros((), jnp.int32)
    pool = cupy.get_default_memory_pool()
    used = []
    for step in range(count):
        with stream:
            # Anything that does not wait for the stream comes before what follows.
            for _ in range(4):
                matrix = matrix @ matrix * np.float32(1 / 1024)
            if way == "no_copy":
                buffer = cupy.empty(SHAPE, cupy.float32)
            buffer.fill(step % 1000)
            data = [buffer[index] for index in range(BATCH)] if way == "list" else buffer
        pipe.feed_input("x", data, cuda_stream=stream, use_copy_kernel=way == "kernel")
        del data
        with stream:
            if way == "no_copy":
                del buffer  # its memory goes back to the pool as soon as nobody reads it
                cupy.empty(SHAPE, cupy.float32).fill(-1)
            else:
                buffer.fill(-1)
        for _ in range(2):
            busy = load(busy)
        (outputs,) = pipe.run()
        bad = wrong(bad, outputs.as_tensor().__jax_array__(), np.float32(step % 1000 + 1))
        if step % 500 == 499:
            bad.block_until_ready()
            used.append(pool.used_bytes())
    assert int(bad) == 0
    # The memory of what was copied is given back.
    assert max(used) < 64 * BYTES


def streams(cupy):
    own = cupy.cuda.Stream(non_blocking=True)
    yield "cupy's", own, own
    yield "handle", own, own.ptr
    yield "protocol", own, Protocol(own)
    yield "default", cupy.cuda.Stream.null, 0
    torch = pytest.importorskip("torch")
    foreign = torch.cuda.Stream()
    yield "torch's", cupy.cuda.Stream.from_external(foreign), foreign


def test_streams_of_all_kinds(cupy):
    for name, stream, given in streams(cupy):
        pipe = fed()
        for step in range(50):
            with stream:
                matrix = cupy.ones((1024, 1024), cupy.float32)
                for _ in range(4):
                    matrix = matrix @ matrix
                buffer = cupy.full(SHAPE, step, cupy.int16)
            pipe.feed_input("x", buffer, cuda_stream=given)
            with stream:
                buffer.fill(-1)
            assert all((sample == step).all() for sample in on_host(pipe.run())), name
    for given in ("stream", 1.5, -2, True):
        with pytest.raises(ConfigError, match="is not a CUDA stream"):
            pipe.feed_input("x", buffer, cuda_stream=given)


def test_without_a_stream_that_of_the_library_counts(cupy):
    torch = pytest.importorskip("torch")
    own, foreign = cupy.cuda.Stream(non_blocking=True), torch.cuda.Stream()
    for make in ("cupy", "torch", "interface", "dlpack", "internal"):
        pipe = fed()
        for step in range(50):
            if make == "torch":
                with torch.cuda.stream(foreign):
                    matrix = torch.ones((1024, 1024), device="cuda")
                    for _ in range(4):
                        matrix = matrix @ matrix * 1e-3
                    buffer = torch.full(SHAPE, step, dtype=torch.int16, device="cuda")
                    pipe.feed_input("x", buffer)
                    buffer.fill_(-1)
            else:
                with own:
                    matrix = cupy.ones((1024, 1024), cupy.float32)
                    for _ in range(4):
                        matrix = matrix @ matrix
                    buffer = cupy.full(SHAPE, step, cupy.int16)
                    wrapped = {"interface": OnlyInterface, "dlpack": OnlyDlpack}.get(make, lambda array: array)(buffer)
                    if make == "internal":
                        own.synchronize()
                    pipe.feed_input("x", wrapped, cuda_stream=-1 if make == "internal" else None)
                    buffer.fill(-1)
            assert all((sample == step).all() for sample in on_host(pipe.run())), make


@pytest.mark.parametrize("no_copy", [False, True])
def test_producers_types_and_layouts(cupy, no_copy):
    torch = pytest.importorskip("torch")
    numbers = np.arange(np.prod(SHAPE)).reshape(SHAPE)
    plain = cupy.asarray(numbers.astype(np.uint8))
    odd = cupy.zeros(plain.size + 1, cupy.uint8)[1:].reshape(SHAPE)
    odd[...] = plain
    cases = {
        "cupy": (plain, numbers.astype(np.uint8)),
        "torch": (torch.from_numpy(numbers.astype(np.float16)).cuda(), numbers.astype(np.float16)),
        "jax": (jnp.asarray(numbers, jnp.int32), numbers.astype(np.int32)),
        "interface": (OnlyInterface(plain), numbers.astype(np.uint8)),
        "dlpack": (OnlyDlpack(plain), numbers.astype(np.uint8)),
        "bool": (plain > 7, numbers.astype(np.uint8) > 7),
        "strided": (plain[::2, :, ::3], numbers.astype(np.uint8)[::2, :, ::3]),
        "transposed": (plain.transpose(0, 2, 1), numbers.astype(np.uint8).transpose(0, 2, 1)),
        "misaligned": (odd, numbers.astype(np.uint8)),
        "double": (cupy.asarray(numbers / 3), (numbers / 3).astype(np.float32)),
        "list": (list(plain), numbers.astype(np.uint8)),
        "list of jax": (list(jnp.asarray(numbers, jnp.int32)), numbers.astype(np.int32)),
        "list of torch": (list(torch.from_numpy(numbers.astype(np.int32)).cuda()), numbers.astype(np.int32)),
    }
    for name, (given, expected) in cases.items():
        pipe = fed(no_copy=no_copy)
        for _ in range(2):
            with jax.transfer_guard_device_to_host("disallow"):
                pipe.feed_input("x", given)
                (found,) = pipe.run()
            assert found.device_arrays[0].devices() == {jax.devices()[0]}
            np.testing.assert_array_equal(np.asarray(found.as_cpu().as_array()), expected, name)
            assert found.as_cpu().as_array().dtype == expected.dtype


def test_samples_of_different_shapes(cupy):
    shapes = [(3, 40 + 7 * index, 2) for index in range(BATCH)]
    samples = [cupy.full(shape, index, cupy.int16) for index, shape in enumerate(shapes)]
    pipe = fed(lambda node: node * np.int16(2))
    pipe.feed_input("x", samples)
    (found,) = pipe.run()
    assert [tuple(shape) for shape in found.shape()] == shapes
    assert all((sample == 2 * index).all() for index, sample in enumerate(on_host([found])))
    # One pipeline's output is fed to another.
    second = fed()
    second.feed_input("x", found)
    (again,) = second.run()
    assert [tuple(shape) for shape in again.shape()] == shapes
    dense = fed()
    dense.feed_input("x", jnp.ones(SHAPE))
    second = fed()
    second.feed_input("x", dense.run()[0])
    assert np.asarray(second.run()[0].as_cpu().as_array()).sum() == np.prod(SHAPE)


def test_sources_that_return_what_is_on_the_gpu(cupy):
    stream = cupy.cuda.Stream(non_blocking=True)

    def source(iteration):
        with stream:
            matrix = cupy.ones((1024, 1024), cupy.float32)
            for _ in range(4):
                matrix = matrix @ matrix
            return cupy.full((BATCH, 2), iteration, cupy.float32), jnp.full(BATCH, iteration)

    @dali.pipeline_def(batch_size=BATCH, device_id=0)
    def graph():
        data, label = fn.external_source(source, num_outputs=2, device="gpu", cuda_stream=stream)
        return data, label, data + 1

    pipe = graph()
    for iteration in range(40):
        for offset, output in zip((0, 0, 1), pipe.run(), strict=True):
            assert (np.asarray(output.as_cpu().as_array()) == iteration + offset).all()
    pipe.reset()
    assert (np.asarray(pipe.run()[0].as_cpu().as_array()) == 0).all()


def test_outputs_are_ordered_for_a_stream_of_the_users(cupy):
    stream = cupy.cuda.Stream(non_blocking=True)
    pipe = fed(depth=1)
    busy = jnp.ones((4096, 4096), jnp.bfloat16)
    for take in (pipe.run, None):
        if take is None:
            pipe = fed(depth=1)
        for step in range(20):
            pipe.feed_input("x", np.full(SHAPE, step, np.int32))
            if take is None:
                pipe.schedule_run()
            for _ in range(40):
                busy = load(busy)
            (found,) = pipe.run(stream) if take is not None else pipe.share_outputs(stream)
            array = found.device_arrays[0]
            with stream:
                # The way a library reads it that has only an address.
                memory = cupy.cuda.UnownedMemory(array.unsafe_buffer_pointer(), array.nbytes, array)
                view = cupy.ndarray(array.shape, np.int32, cupy.cuda.MemoryPointer(memory, 0))
                total = view.sum()
            assert int(total.get(stream)) == step * np.prod(SHAPE)


def test_what_does_not_go_is_said(cupy):
    array = cupy.zeros(SHAPE, cupy.float32)
    with pytest.raises(SourceDataError, match="Mixed input types are not supported"):
        fed().feed_input("x", [array[0], np.zeros(SHAPE[1:])])
    with pytest.raises(SourceDataError, match="is of int64, which JAX has only with jax_enable_x64"):
        fed().feed_input("x", cupy.zeros(SHAPE, cupy.int64))
    with pytest.raises(SourceDataError, match="at least one sample"):
        fed().feed_input("x", cupy.zeros((0, 3)))
    with pytest.raises(SourceDataError, match="without dimensions holds one value, and is not a batch"):
        fed().feed_input("x", cupy.zeros(()))
    with pytest.raises(SourceDataError, match="expected data of type UINT8 and got: FLOAT"):
        fed(dtype=dali.types.UINT8).feed_input("x", array)
    with pytest.raises(SourceDataError, match="unexpected batch size"):
        fed().feed_input("x", cupy.zeros((BATCH + 1, 2)))
    on_cpu = Pipeline(batch_size=BATCH, device_id=None)
    with on_cpu:
        on_cpu.set_outputs(fn.external_source(name="x", device="gpu"), fn.external_source(name="y"))
    with pytest.raises(ConfigError, match=r'cuda_stream= for an external_source with device="cpu"'):
        on_cpu.feed_input("y", array, cuda_stream=cupy.cuda.get_current_stream())
    on_cpu.feed_input("x", array)
    on_cpu.feed_input("y", np.zeros((BATCH, 1)))
    with pytest.raises(SourceDataError, match="the pipeline runs on the CPU"):
        on_cpu.run()
