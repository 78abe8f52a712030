"""Programs in the styles in which people write pipelines, whose outputs are bit for bit the same in both systems.

Each takes the package, `nvidia.dali` or `jaxdali`, and returns its pipeline, or several.
"""

from __future__ import annotations

import functools

import numpy as np
from beside_dali import BATCH, Programs, counted, folder, images

styles = Programs()


# CLASSES --------------------------------------------------------------------------------------------------------------


@styles
def a_class_with_arguments_by_position(dali):
    class Train(dali.pipeline.Pipeline):
        def __init__(self, batch_size, num_threads, device_id, crop, shard_id=0, num_gpus=1):
            super(Train, self).__init__(batch_size, num_threads, device_id, seed=12 + shard_id, prefetch_queue_depth=3)  # noqa: UP008
            self.input = dali.ops.readers.File(file_root=folder(), shard_id=shard_id, num_shards=num_gpus)
            self.device = "cpu"
            self.decode = dali.ops.decoders.Image(device=self.device, output_type=dali.types.RGB)
            self.res = dali.ops.Crop(device=self.device, crop=crop)
            self.cmnp = dali.ops.CropMirrorNormalize(device="cpu", dtype=dali.types.FLOAT, mean=[1.0, 2.0, 3.0])
            self.coin = dali.ops.random.CoinFlip(probability=1.0)

        def define_graph(self):
            rng = self.coin()
            self.jpegs, self.labels = self.input(name="Reader")
            images = self.res(self.decode(self.jpegs))
            output = self.cmnp(images.gpu() if self.device == "gpu" else images, mirror=rng)
            return [output, self.labels]

    pipe = Train(BATCH, 1, None, crop=(3, 4))
    pipe.build()
    return pipe


@styles
def all_arguments_by_position(dali):
    pipe = dali.Pipeline(BATCH, 1, None, 7, True, {"cpu_size": 3, "gpu_size": 2}, True, 0, False)
    pipe.set_outputs(dali.fn.external_source(counted()))
    return pipe


@styles
def define_graph_that_returns_a_tuple_a_list_or_a_node(dali):
    class Any(dali.Pipeline):
        def __init__(self, form):
            super().__init__(BATCH, 1, None)
            self.form = form

        def define_graph(self):
            x = dali.fn.external_source(counted(3))
            return {"tuple": (x, x + 1), "list": [x, x + 1], "node": x, "constants": [x, 3, 2.5]}[self.form]

    return [Any(form) for form in ("tuple", "list", "node", "constants")]


@styles
def a_class_derived_twice_with_a_length(dali):
    class Base(dali.Pipeline):
        def __init__(self, *args, **kwargs):
            self._epoch = 0
            super().__init__(*args, **kwargs)
            self.source = dali.ops.ExternalSource(source=counted(4))

        def define_graph(self):
            return self.source() * self.factor

        def __len__(self):
            return self._epoch

    class Derived(Base):
        factor = 3

        def define_graph(self):
            return super().define_graph(), dali.types.Constant(np.uint8(7))

    return Derived(batch_size=BATCH, num_threads=1, device_id=None, seed=-1)


@styles
def feeds_in_iter_setup(dali):
    class Fed(dali.Pipeline):
        def __init__(self, batch_size, num_threads, device_id):
            super().__init__(batch_size, num_threads, device_id, seed=12)
            self.input = dali.ops.ExternalSource()
            self.input_label = dali.ops.ExternalSource()
            self.iterator = iter(counted(2, 3, epoch=3)())

        def define_graph(self):
            self.images = self.input()
            self.labels = self.input_label()
            return self.images, self.labels

        def iter_setup(self):
            images = next(self.iterator)
            self.feed_input(self.images, images)
            self.feed_input(self.labels, [image[:1, 0] for image in images])

    return Fed(BATCH, 1, None)


# FUNCTIONS ------------------------------------------------------------------------------------------------------------


@styles
def pipeline_def_with_and_without_arguments(dali):
    @dali.pipeline_def
    def bare(offset=1):
        return dali.fn.external_source(counted()) + offset

    @dali.pipeline_def()
    def empty(offset, factor=2):
        return (dali.fn.external_source(counted()) + offset) * factor

    @dali.pipeline_def(batch_size=9, num_threads=1, device_id=None, seed=3)
    def full(offset=1):
        return dali.fn.external_source(counted()) + offset

    options = {"batch_size": BATCH, "num_threads": 1, "device_id": None}
    from_lambda = dali.pipeline_def(lambda: dali.fn.external_source(counted()), **options)
    from_partial = dali.pipeline_def(functools.partial(lambda a: dali.fn.external_source(counted()) + a, 3), **options)
    return [bare(**options), empty(5, factor=3, **options), full(7, batch_size=BATCH), from_lambda(), from_partial()]


@styles
def methods(dali):
    class Model:
        def __init__(self, offset):
            self.offset = offset
            self.pipe = self.train(batch_size=BATCH, num_threads=1, device_id=None)

        @dali.pipeline_def
        def train(self, factor=2):
            self.input = dali.fn.external_source(counted())
            return self.input * factor + self.offset

        @dali.pipeline_def(batch_size=BATCH, num_threads=1, device_id=None)
        def validate(self):
            return dali.fn.external_source(counted()) - self.offset

        @staticmethod
        @dali.pipeline_def(batch_size=BATCH, num_threads=1, device_id=None)
        def test(offset):
            return dali.fn.external_source(counted()) * offset

        @classmethod
        @dali.pipeline_def(batch_size=BATCH, num_threads=1, device_id=None)
        def named(cls, offset):
            return dali.fn.external_source(counted()) * (offset + len(cls.__name__))

        def bound(self):
            return dali.fn.external_source(counted()) * self.offset * 5

    model = Model(4)
    bound = dali.pipeline_def(model.bound, batch_size=BATCH, num_threads=1, device_id=None)
    return [model.pipe, model.validate(), Model.test(3), model.named(1), bound()]


@styles
def conditionals_enabled_where_nothing_branches_on_a_node(dali):
    @dali.pipeline_def(enable_conditionals=True, batch_size=BATCH, num_threads=1, device_id=None)
    def mine(flips, shifts=None):
        x = dali.fn.external_source(images(), layout="HWC")
        if flips and x is not None:
            x = dali.fn.flip(x)
        for shift in shifts or [0]:
            x = x + shift
        return x if not flips else (x, x * 2)

    return [mine(True), mine(False, [1, 2]), mine(False, enable_conditionals=False)]


@styles
def multiplexing_by_arithmetic(dali):
    def mux(condition, yes, no):
        opposite = condition ^ True
        return condition * yes + opposite * no

    @dali.pipeline_def(batch_size=BATCH, num_threads=1, device_id=None)
    def mine(probability):
        x = dali.fn.external_source(images(), layout="HWC")
        flip = dali.fn.cast(dali.fn.random.coin_flip(probability=probability), dtype=dali.types.BOOL)
        return mux(flip, dali.fn.flip(x), x), mux(
            dali.fn.random.coin_flip(probability=probability, dtype=dali.types.BOOL), 1, 0
        )

    return [mine(0.0), mine(1.0)]


@styles
def outputs_of_free_nodes(dali):
    pipe = dali.Pipeline(batch_size=BATCH, num_threads=1, device_id=None)
    before = dali.Pipeline.push_current(pipe)
    x = dali.fn.external_source(counted(2))
    dali.Pipeline.pop_current()
    y = dali.fn.external_source(counted(2), name="y")
    pipe.set_outputs(x + y, dali.math.abs(-y), int(before is None))
    return pipe


@styles
def a_block_and_a_build(dali):
    pipe = dali.pipeline.Pipeline(BATCH, 1, None)
    with pipe:
        files, labels = dali.fn.readers.file(file_root=folder(), name="Reader")
        decoded = dali.fn.decoders.image(files)
        pipe.set_outputs(decoded, labels)
    pipe.build()
    pipe.build()
    assert pipe.epoch_size("Reader") == pipe.epoch_size()["Reader"] == 3
    return pipe


@styles
def the_pipeline_while_it_is_defined(dali):
    @dali.pipeline_def(batch_size=BATCH, num_threads=1, device_id=None, prefetch_queue_depth=3)
    def mine():
        pipe = dali.Pipeline.current()
        return dali.fn.external_source(counted()) * pipe.max_batch_size, np.int32(pipe.prefetch_queue_depth)

    return mine()
