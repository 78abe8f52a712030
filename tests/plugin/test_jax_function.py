"""JAX functions in a graph are traced into the pipeline's program."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jpeg_files import photo

from jaxdali import ConfigError, GraphError, fn, pipeline_def
from jaxdali.plugin import jax as dax

OPTIONS = {"batch_size": 3, "seed": 1, "prefetch_queue_depth": 1}
IMAGES = [photo(4, 5, seed=k) for k in range(3)]


def images(shapes=((4, 5),) * 3):
    return fn.external_source(lambda: [photo(*shape, seed=k) for k, shape in enumerate(shapes)], layout="HWC")


def run(define):
    with pipeline_def(**OPTIONS)(define)() as pipe:
        return pipe.run()


@dax.fn.jax_function
@jax.jit
@jax.vmap
def mirrored(image):
    return image[:, ::-1]


@dax.fn.jax_function(num_outputs=2, output_layouts=("CHW", ""))
def split(batch, numbers):
    return batch.transpose(0, 3, 1, 2), numbers * 2


def test_it_is_computed_with_the_batch():
    traced = []

    @dax.fn.jax_function
    def counted(batch):
        traced.append(batch.shape)
        return batch + jnp.uint8(1)

    def define():
        planes, numbers = split(mirrored(images()), fn.external_source(lambda: np.arange(3, dtype=np.float32)))
        return fn.flip(mirrored(images())), counted(images()), planes, numbers

    flipped, more, planes, numbers = run(define)
    assert [output.layout() for output in (flipped, more, planes, numbers)] == ["HWC", "HWC", "CHW", ""]
    for k, image in enumerate(IMAGES):
        np.testing.assert_array_equal(flipped.at(k), image)
        np.testing.assert_array_equal(more.at(k), image + np.uint8(1))
        np.testing.assert_array_equal(planes.at(k), image[:, ::-1].transpose(2, 0, 1))
        assert numbers.at(k) == 2 * k
    assert set(traced) == {(3, 4, 5, 3)}
    assert mirrored.__name__ == "mirrored"


def test_what_it_refuses():
    for arguments, words in (
        ({"sharding": object()}, "runs on one device"),
        ({"num_outputs": 0}, "computes nothing"),
        ({"num_outputs": 2, "output_layouts": ("A",)}, "has 1 layouts, but there are 2"),
        ({"output_layouts": 3}, "must be a layout"),
    ):
        with pytest.raises(ConfigError, match=words):
            dax.fn.jax_function(lambda x: x, **arguments)
    with pytest.raises(ConfigError, match=r"must be a function of jax\.Arrays"):
        dax.fn.jax_function(3)
    for function, nodes, words in (
        (lambda x: x, lambda: images([(2, 3), (3, 2), (2, 2)]), "whose samples have one shape"),
        (lambda x: x[0], images, r"a row for each of 3 samples, got the shape \(4, 5, 3\)"),
        (lambda x: (x, x), images, "num_outputs=1 returned 2 values"),
    ):
        with pytest.raises(GraphError, match=words):
            run(lambda function=function, nodes=nodes: dax.fn.jax_function(function)(nodes()))


def test_such_a_pipeline_cannot_be_saved():
    with pytest.raises(GraphError, match="cannot be saved: it is a function of Python's"):
        pipeline_def(**OPTIONS)(lambda: mirrored(fn.external_source(name="x")))().serialize()
