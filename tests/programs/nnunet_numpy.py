"""nnU-Net's volumes and labels, as in DeepLearningExamples: two readers with the same seed have the same order."""

import glob

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


class GenericPipeline(Pipeline):
    def __init__(self, batch_size, num_threads, **kwargs):
        super().__init__(batch_size, num_threads, None, seed=kwargs["seed"])
        self.kwargs = kwargs
        self.input_x = self.get_reader(kwargs["imgs"])
        self.input_y = self.get_reader(kwargs["lbls"])

    def get_reader(self, data):
        from nvidia.dali import ops

        return ops.readers.Numpy(
            files=data,
            device="cpu",
            read_ahead=True,
            dont_use_mmap=True,
            pad_last_batch=True,
            shard_id=0,
            seed=self.kwargs["seed"],
            num_shards=1,
            shuffle_after_epoch=self.kwargs["shuffle"],
        )

    def load_data(self):
        img, lbl = self.input_x(name="ReaderX"), self.input_y(name="ReaderY")
        img, lbl = fn.reshape(img, layout="CDHW"), fn.reshape(lbl, layout="CDHW")
        return img, lbl

    def define_graph(self):
        img, lbl = self.load_data()
        return fn.cast(img * 0.5, dtype=types.FLOAT), fn.cast(lbl, dtype=types.UINT8)


def main(data):
    imgs = sorted(glob.glob(data + "/volumes/*_x.npy"))
    lbls = sorted(glob.glob(data + "/volumes/*_y.npy"))
    pipe = GenericPipeline(2, 2, seed=3, imgs=imgs, lbls=lbls, shuffle=False)
    pipe.build()
    yield pipe.epoch_size("ReaderX"), pipe.epoch_size("ReaderY")
    for _ in range(4):
        yield pipe.run()
