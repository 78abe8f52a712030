"""Programs whose outputs are the same with both systems, to the bit: how a graph comes about.

Each takes the package, `nvidia.dali` or `jaxdali`, and returns its pipeline, or several.
"""

from __future__ import annotations

from beside_dali import BATCH, Programs, counted, folder, graph, images, pipeline

equal = Programs()


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
