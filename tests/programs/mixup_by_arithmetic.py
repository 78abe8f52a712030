"""MixUp and CutMix without conditionals: computes both, and selects by a coin, `c * a + (c ^ True) * b`."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def

CLASSES = 3


class Draws:
    """Random weights, partners and coins for each batch, seeded as the training script seeds them."""

    def __init__(self, batch_size, seed=11):
        self.batch_size = batch_size
        self.rng = np.random.default_rng(seed)

    def __iter__(self):
        return self

    def __next__(self):
        n = self.batch_size
        lam = self.rng.integers(1, 8, n).astype(np.float32) / 8
        return [lam, self.rng.integers(0, 2, n).astype(bool)]


def mux(condition, true_case, false_case):
    neg_condition = condition ^ True
    return condition * true_case + neg_condition * false_case


@pipeline_def(batch_size=4, num_threads=2, device_id=None)
def mixup_pipeline(root):
    jpegs, labels = fn.readers.file(file_root=root, name="Reader")
    images = fn.decoders.image(jpegs, device="cpu", output_type=types.RGB)
    images = fn.crop_mirror_normalize(
        images,
        crop=(32, 32),
        mean=[128.0, 128.0, 128.0],
        std=[64.0, 64.0, 64.0],
        dtype=types.FLOAT,
        output_layout="HWC",
    )
    lam, coin = fn.external_source(Draws(4), num_outputs=2)
    do_mix = fn.cast(coin, dtype=types.BOOL)
    one_hot = fn.one_hot(labels, num_classes=CLASSES, dtype=types.FLOAT)
    partner = fn.flip(images, horizontal=1)
    mixed = lam * images + (1.0 - lam) * partner
    out = mux(do_mix, mixed, images)
    target = mux(do_mix, lam * one_hot, one_hot)
    return out, target, labels


def main(data):
    pipe = mixup_pipeline(data + "/train")
    pipe.build()
    for _ in range(2):
        yield pipe.run()
