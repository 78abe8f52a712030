"""Programs whose outputs are the same with both systems, to the bit: how a graph comes about, and what lies next to that.

Each takes the package, `nvidia.dali` or `jaxdali`, and returns its pipeline, or several.
"""

from __future__ import annotations

import numpy as np
from beside_dali import BATCH, Program, counted, folder, graph, images, pipeline

EQUAL: dict[str, Program] = {}


def equal(program: Program) -> Program:
    EQUAL[program.__name__] = program
    return program


# SCOPES ---------------------------------------------------------------------------------------------------------------


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
@graph
def constants_as_outputs(dali):
    constant = dali.types.Constant
    return (
        *(1, 2.5, True, [1, 2, 3], (1.5, 2), [True, False], np.float32(3), np.int64(-3)),
        *(np.arange(3, dtype=np.int16), np.zeros((2, 1)), np.arange(3), np.array(5)),
        *(constant(4), constant([1, 2]), constant(3, dtype=dali.types.UINT8), constant(3, shape=(2,))),
        constant(np.zeros((2, 3, 1), np.uint8), layout="HWC"),
        dali.fn.external_source(counted()),
    )


@equal
@graph
def constants_without_anything_else(dali):
    return [1, 2]


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


# NEIGHBOURS -----------------------------------------------------------------------------------------------------------


@equal
@graph
def subscripts(dali):
    x = dali.fn.external_source(images(), layout="HWC")
    at = dali.fn.external_source(counted()) % 3
    return x[0], x[-1, 1], x[:, 1], x[0:1], x[:, ::2], x[:, at], x[at % 2, 0:2, -1], x[1][1]


@equal
@graph
def new_axes(dali):
    x = dali.fn.external_source(images(), layout="HWC")
    return x[dali.newaxis], x[dali.newaxis("N")], x[:, 0, dali.newaxis("A")]


@equal
@graph
def arithmetic(dali):
    x = dali.fn.external_source(images(), layout="HWC")
    y, several = dali.fn.external_source(counted()), [1, 2, 3]
    return (
        *(x + 1, x * 1.5, -x, +x, x + x, x - 20, 100 - x, x // 2, x % 7, x / 2),
        *(x > 15, x == 12, (x > 12) & (x < 20), x + y, y + several, abs(10 - y)),
        x + dali.types.Constant(np.array([1, 2, 3], np.uint8)),
    )


@equal
@graph
def functions(dali):
    x = dali.fn.external_source(counted(3))
    return dali.math.max(x, 12), dali.math.clamp(x, 11, 12), dali.math.floor(x / 2), dali.math.abs(11 - x)


@equal
@graph
def shapes(dali):
    x = dali.fn.external_source(images(), layout="HWC")
    as_numbers = dali.types.INT32
    return (
        x.shape(dtype=as_numbers),
        x[0].shape(dtype=as_numbers),
        x.shape(dtype=dali.types.FLOAT) / 2,
        dali.fn.crop(x, crop=(1, 2)).shape(dtype=as_numbers),
        dali.fn.crop_mirror_normalize(x).shape(dtype=as_numbers)[0],
    )
