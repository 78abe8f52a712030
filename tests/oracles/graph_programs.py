"""Programs about how a graph is built, whose outputs are bit for bit the same in both systems.

Each takes the package, `nvidia.dali` or `jaxdali`, and returns its pipeline, or several.
"""

from __future__ import annotations

import contextlib
import random

import numpy as np
from beside_dali import BATCH, RUNS, Programs, counted, folder, graph, images, pipeline

equal = Programs()


# NODES MADE ANYWHERE --------------------------------------------------------------------------------------------------


@equal
def nodes_made_outside_of_any_pipeline(dali):
    x = dali.fn.external_source(counted(3))
    y = (x + 1) * 2
    pipe = pipeline(dali)
    pipe.set_outputs(x, x + 1, y - x)
    return pipe


@equal
def images_made_outside_of_any_pipeline(dali):
    x = dali.fn.external_source(images(), layout="HWC")
    turned = dali.fn.flip(x, horizontal=dali.fn.external_source(counted()) % 2)
    pipe = pipeline(dali)
    pipe.set_outputs(turned, dali.fn.crop_mirror_normalize(x, mean=3.0, std=2.0), x[:, 1:])
    return pipe


@equal
def a_node_of_another_pipelines_scope(dali):
    with pipeline(dali):
        x = dali.fn.external_source(counted())
    y = x + 1
    pipe = pipeline(dali)
    with pipe:
        pipe.set_outputs(y * 2, x)
    return pipe


@equal
def nodes_of_functions_and_objects(dali):
    class Numbers:
        def __init__(self):
            self.node = dali.fn.external_source(counted())

        def above(self, other):
            return self.node + other

    def doubled(node):
        return node * 2

    numbers = Numbers()
    pipe = pipeline(dali)
    with pipe:
        pipe.set_outputs(doubled(numbers.node), doubled(numbers.above(dali.types.Constant(5))))
    return pipe


@equal
def a_node_that_is_the_argument_of_a_function(dali):
    @dali.pipeline_def(batch_size=BATCH, num_threads=1, device_id=None)
    def mine(node, other):
        return node - other, other

    return mine(dali.fn.external_source(counted()), other=3)


@equal
def a_constant_made_outside(dali):
    three = dali.types.Constant(np.array([1, 2, 3], np.int16))
    pipe = pipeline(dali)
    pipe.set_outputs(three, dali.fn.external_source(counted()) + three, three)
    return pipe


@equal
def a_fed_node_of_two_pipelines(dali):
    x = dali.fn.external_source(name="x")
    pipes = [pipeline(dali, prefetch_queue_depth=1) for _ in range(2)]
    pipes[0].set_outputs(x, x + 1)
    pipes[1].set_outputs(x * 10)
    for k, pipe in enumerate(pipes):
        for batch in range(RUNS):
            pipe.feed_input(x if batch == 1 else "x", [np.int32(100 * k + 10 * batch + row) for row in range(BATCH)])
    return pipes


@equal
def a_reader_of_two_pipelines(dali):
    _, labels = dali.fn.readers.file(file_root=folder(), name="files")
    pipes = [pipeline(dali) for _ in range(2)]
    pipes[0].set_outputs(labels)
    pipes[1].set_outputs(labels + 100, labels)
    return pipes


def graph_of_random_sums(seed):
    """Random sums and sources, made inside or outside of a scope from any nodes so far; outputs are any of them."""

    def program(dali):
        draws = random.Random(seed)
        pipe = pipeline(dali)
        scopes = [contextlib.nullcontext(), draws.choice([pipe, pipeline(dali)])]
        nodes = [dali.fn.external_source(counted())]
        for _ in range(12):
            with draws.choice(scopes):
                one, other = draws.choices(nodes, k=2)
                sums = [one + other, one - other * 3, dali.math.max(one, other) % 7, one + draws.randrange(9)]
                nodes.append(draws.choice([*sums, dali.fn.external_source(counted(3))]))
        pipe.set_outputs(*draws.choices(nodes, k=6))
        return pipe

    return program


equal.update({f"random_sums_{seed}": graph_of_random_sums(seed) for seed in range(4)})


# SCOPES ---------------------------------------------------------------------------------------------------------------


@equal
def a_scope_in_itself(dali):
    pipe = pipeline(dali)
    with pipe:
        x = dali.fn.external_source(counted())
        with pipe:
            y = x + 1
        pipe.set_outputs(x, y, y * 2)
    return pipe


@equal
def a_scope_in_another_one(dali):
    outer, inner = pipeline(dali), pipeline(dali)
    with outer:
        x = dali.fn.external_source(counted())
        with inner:
            y = dali.fn.external_source(counted(2), name="inner")
            inner.set_outputs(y, y + 1)
        outer.set_outputs(x, x - 1)
    return [outer, inner]


@equal
def two_scopes_one_after_the_other(dali):
    pipe = pipeline(dali)
    with pipe:
        x = dali.fn.external_source(counted())
    with pipe:
        y = x + 1
    pipe.set_outputs(y, x)
    return pipe


@equal
def a_scope_by_hand(dali):
    pipe = pipeline(dali)
    dali.Pipeline.push_current(pipe)
    x = dali.fn.external_source(counted())
    dali.Pipeline.pop_current()
    pipe.set_outputs(x)
    return pipe


@equal
def the_last_outputs_win(dali):
    pipe = pipeline(dali)
    x = dali.fn.external_source(counted())
    pipe.set_outputs(x)
    pipe.set_outputs(x + 1, x)
    return pipe


# WHAT IS USED ---------------------------------------------------------------------------------------------------------


@equal
@graph
def what_nobody_needs_does_nothing(dali):
    def fails():
        raise AssertionError("asked for a batch that nobody needs")

    unused = dali.fn.external_source(fails)
    dali.fn.flip(unused)
    dali.fn.external_source(counted(epoch=1)) + 1
    dali.fn.readers.file(file_root=folder())
    return dali.fn.external_source(counted())


@equal
@graph
def a_preserved_operators_source_ends_the_epoch(dali):
    def two(iteration):
        if iteration == 2:
            raise StopIteration
        return [np.zeros((2, 3, 3), np.uint8)] * BATCH

    dali.fn.flip(dali.fn.external_source(two, layout="HWC"), preserve=True)
    return dali.fn.external_source(lambda iteration: [np.int32(iteration)] * BATCH)


@equal
@graph
def a_preserved_operator_without_a_use(dali):
    dali.fn.random.uniform(preserve=True)
    dali.fn.random.uniform(preserve=False)
    return dali.fn.external_source(counted())


@equal
@graph
def a_preserved_operator_of_the_outputs(dali):
    x = dali.fn.external_source(images(), layout="HWC")
    return dali.fn.flip(x, preserve=True), x


@equal
@graph
def one_node_of_two_operators(dali):
    x = dali.fn.external_source(images(), layout="HWC")
    return dali.fn.flip(x), dali.fn.flip(x, horizontal=0, vertical=1), x


# READERS --------------------------------------------------------------------------------------------------------------


@equal
@graph
def both_outputs_of_a_reader(dali):
    read = dali.fn.readers.file(file_root=folder())
    files, labels = read
    return labels, files, read[1], read[0]


@equal
@graph
def one_output_of_a_reader(dali):
    return dali.fn.readers.file(file_root=folder())[1]


@equal
@graph
def the_outputs_of_a_reader_in_a_tuple(dali):
    files, labels = dali.fn.readers.file(file_root=folder())
    return dali.fn.decoders.image(files), labels + 1


@equal
@graph
def two_readers(dali):
    _, ahead = dali.fn.readers.file(file_root=folder(), shard_id=1, num_shards=3)
    _, labels = dali.fn.readers.file(file_root=folder())
    return labels, ahead, labels - ahead


# LISTS AS INPUTS ------------------------------------------------------------------------------------------------------


@equal
@graph
def lists_of_one_node(dali):
    fn = dali.fn
    x = fn.external_source(images(), layout="HWC")
    files, _ = fn.readers.file(file_root=folder())
    return (
        fn.flip([x]),
        fn.crop([x], crop=(1, 2)),
        fn.crop_mirror_normalize([x]),
        fn.brightness_contrast([x], brightness_shift=0.1),
        fn.resize([x], size=(2, 3)),
        fn.decoders.image([files]),
    )


# OUTPUTS --------------------------------------------------------------------------------------------------------------


@equal
@graph
def one_node_in_several_outputs(dali):
    x = dali.fn.external_source(counted())
    y = x + 1
    return y, x, y, y, x


@equal
@graph
def outputs_in_another_order(dali):
    x = dali.fn.external_source(counted())
    y = dali.fn.external_source(counted(2))
    z = x + y
    return z, y, x


@equal
def a_class_that_defines_its_graph(dali):
    class Mine(dali.Pipeline):
        def __init__(self):
            super().__init__(BATCH, 1, None)
            self.source = dali.ops.ExternalSource(counted())

        def define_graph(self):
            self.node = self.source()
            return self.node + 1, self.node

    return Mine()


@equal
def a_class_that_returns_a_list(dali):
    class Mine(dali.Pipeline):
        def define_graph(self):
            x = dali.fn.external_source(counted())
            return [x, x + 1]

    return Mine(batch_size=BATCH, num_threads=1, device_id=None)


@equal
def a_class_that_returns_one_node(dali):
    class Mine(dali.Pipeline):
        def define_graph(self):
            return dali.fn.external_source(counted()) + 1

    return Mine(batch_size=BATCH, num_threads=1, device_id=None)


@equal
def a_class_whose_outputs_are_set(dali):
    class Mine(dali.Pipeline):
        def define_graph(self):
            raise AssertionError("the outputs are known")

    pipe = Mine(batch_size=BATCH, num_threads=1, device_id=None)
    pipe.set_outputs(dali.fn.external_source(counted()))
    return pipe


# NAMES ----------------------------------------------------------------------------------------------------------------


@equal
@graph
def a_name_that_an_unused_operator_has(dali):
    dali.fn.external_source(counted(2), name="x")
    return dali.fn.external_source(counted(), name="x")


@equal
def one_name_in_two_pipelines(dali):
    pipes = [pipeline(dali) for _ in range(2)]
    for size, pipe in enumerate(pipes):
        pipe.set_outputs(dali.fn.external_source(counted(size + 1), name="x"))
    return pipes


# OPERATORS AS OBJECTS -------------------------------------------------------------------------------------------------


@equal
@graph
def an_object_that_is_called_twice(dali):
    flip = dali.ops.Flip(vertical=1)
    x = dali.fn.external_source(images(), layout="HWC")
    return flip(x), flip(flip(x), name="back"), flip([x])
