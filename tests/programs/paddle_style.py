"""PaddleClas's readers: classes of operators derived from DALI's, called one after the other, and 64-bit labels."""

import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline

INTERP_MAP = {
    "nearest": types.INTERP_NN,
    "bilinear": types.INTERP_LINEAR,
    "bicubic": types.INTERP_CUBIC,
    "lanczos": types.INTERP_LANCZOS3,
}


class ImageDecoder(ops.ImageDecoder):
    def __init__(self, *kargs, device="cpu", **kwargs):
        super().__init__(*kargs, device=device, **kwargs)


class Resize(ops.Resize):
    def __init__(self, *kargs, device="cpu", **kwargs):
        if "interpolation" in kwargs:
            kwargs["interp_type"] = INTERP_MAP[kwargs.pop("interpolation")]
        super().__init__(*kargs, device=device, **kwargs)


class CropMirrorNormalize(ops.CropMirrorNormalize):
    def __init__(self, *kargs, device="cpu", prob=0.5, **kwargs):
        super().__init__(*kargs, device=device, **kwargs)
        self.rng = ops.random.CoinFlip(probability=prob)

    def __call__(self, images):
        do_mirror = self.rng()
        return super().__call__(images, mirror=do_mirror)


class PreprocessPipeline(Pipeline):
    def __init__(self, file_root, batch_size, ops_list, seed=0):
        super().__init__(batch_size=batch_size, num_threads=4, device_id=None, seed=seed)
        self.input = ops.readers.File(file_root=file_root, shard_id=0, num_shards=1, pad_last_batch=True, name="Reader")
        self.ops = ops_list
        self.cast = ops.Cast(dtype=types.DALIDataType.INT64, device="cpu")

    def define_graph(self):
        jpegs, labels = self.input()
        images = jpegs
        for op in self.ops:
            images = op(images)
        return [images, self.cast(labels)]


def main(data):
    transforms = [
        ImageDecoder(output_type=types.RGB),
        Resize(size=[40, 40], interpolation="bilinear"),
        CropMirrorNormalize(
            crop=(32, 32),
            mean=[127.5, 127.5, 127.5],
            std=[127.5, 127.5, 127.5],
            output_layout="CHW",
            dtype=types.DALIDataType.FLOAT,
            prob=1.0,
        ),
    ]
    pipe = PreprocessPipeline(data + "/val", 4, transforms, seed=42)
    pipe.build()
    yield pipe.epoch_size("Reader")
    for _ in range(2):
        yield pipe.run()
