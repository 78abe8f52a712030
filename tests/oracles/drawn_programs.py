"""Programs that draw random values: outputs have the same forms in both systems, and the same ones are equal.

Each takes the package, `nvidia.dali` or `jaxdali`, and returns its pipeline, or several.
"""

from __future__ import annotations

import numpy as np
from beside_dali import Programs, counted, graph, images, pipeline

drawn = Programs()


@drawn
@graph
def two_calls(dali):
    one, other = dali.fn.random.uniform(), dali.fn.random.uniform()
    return one, other, one * 2, one + one, one


@drawn
def calls_outside_of_any_pipeline(dali):
    one, other = dali.fn.random.uniform(range=(2.0, 5.0)), dali.fn.random.normal(mean=1.0)
    pipe = pipeline(dali)
    pipe.set_outputs(one, other, (one >= 2) & (one < 5), one * 2, one + one)
    return pipe


@drawn
def one_call_in_two_pipelines(dali):
    one = dali.fn.random.uniform()
    pipes = [pipeline(dali), pipeline(dali), pipeline(dali, seed=8)]
    for pipe in pipes:
        pipe.set_outputs(one, one * 2)
    return pipes


@drawn
def what_comes_behind_changes_nothing(dali):
    pipes = [pipeline(dali) for _ in range(3)]
    for behind, pipe in enumerate(pipes):
        with pipe:
            outputs = dali.fn.random.uniform(), dali.fn.random.uniform()
            for _ in range(behind):
                dali.fn.random.uniform()
            pipe.set_outputs(*outputs)
    return pipes


@drawn
@graph
def seeds(dali):
    uniform = dali.fn.random.uniform
    return uniform(seed=3), uniform(seed=3), uniform(seed=4), uniform(), uniform(seed=-1)


@drawn
@graph
def forms(dali):
    fn, types = dali.fn, dali.types
    image = fn.external_source(images(), layout="HWC")
    flips = fn.random.coin_flip(shape=[50])
    bytes_ = fn.random.uniform(range=(10, 200), shape=(2, 3), dtype=types.UINT8)
    return (
        *(flips, (flips == 0) | (flips == 1), bytes_, (bytes_ >= 10) & (bytes_ <= 200)),
        *(fn.random.uniform(image), fn.random.normal(image), fn.random.coin_flip(shape=(6, 7), dtype=types.BOOL)),
        *(fn.random.uniform(shape=20, values=[1.0, 4.0]), fn.random.normal(shape=(2, 2), dtype=types.FLOAT)),
    )


@drawn
@graph
def nodes_as_arguments(dali):
    low = dali.fn.random.uniform(range=(0.0, 1.0))
    bounds = dali.fn.external_source(counted(2, dtype=np.float32))
    drawn_between = dali.fn.random.uniform(range=bounds)
    return (
        drawn_between,
        (drawn_between >= bounds[0]) & (drawn_between < bounds[1]),
        dali.fn.random.normal(mean=low, stddev=2.0),
    )


@drawn
@graph
def random_crops_of_one_image(dali):
    # All pixels differ, so that two windows are equal only if their draws are.
    x = dali.fn.external_source(counted(60, 4, 1, dtype=np.uint8), layout="HWC")
    crops = [dali.fn.random_resized_crop(x, size=(1, 1), random_area=(0.08, 0.2), seed=seed) for seed in (1, 1, 2)]
    return tuple(crops)


@drawn
@graph
def an_object_that_is_called_twice(dali):
    with_seed, without = dali.ops.random.Uniform(seed=3), dali.ops.random.Uniform()
    return with_seed(), with_seed(), without(), without()


@drawn
@graph
def a_batch_that_is_smaller(dali):
    one = dali.fn.external_source(lambda: [np.int32(1)])
    return one, dali.fn.random.uniform(), dali.fn.random.coin_flip(shape=30)
