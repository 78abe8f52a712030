"""A list of transforms, as torchvision users like it: ops.Compose calls one operator after the other."""

import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


def main(data):
    pipe = Pipeline(batch_size=3, num_threads=2, device_id=None, seed=4)
    transforms = ops.Compose(
        [
            ops.decoders.Image(output_type=types.RGB),
            ops.Crop(crop=(30, 26)),
            ops.CropMirrorNormalize(
                dtype=types.FLOAT, mean=[100.0, 110.0, 120.0], std=[50.0, 60.0, 70.0], output_layout="CHW"
            ),
        ]
    )
    with pipe:
        jpegs, labels = ops.readers.File(file_root=data + "/val")()
        pipe.set_outputs(transforms(jpegs), labels)
    pipe.build()
    for _ in range(2):
        yield pipe.run()
