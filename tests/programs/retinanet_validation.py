"""RetinaNet without random draws: boxes, partly mirrored with their images, as offsets from multi-scale anchors."""

import glob

import numpy as np
from nvidia.dali import fn, pipeline_def, types

ANCHORS = np.float32([[x, y, x + s, y + s] for s in (0.2, 0.4, 0.6) for x in (0.0, 0.2, 0.4) for y in (0.0, 0.2, 0.4)])


def objects(info):
    rng = np.random.default_rng(info.idx_in_epoch)
    corner = rng.uniform(0, 0.5, (rng.integers(0, 5), 2))
    boxes = np.concatenate([corner, corner + rng.uniform(0.1, 0.45, corner.shape)], axis=1).astype(np.float32)
    return boxes, rng.integers(1, 91, (len(boxes), 1)).astype(np.int32), np.int32(info.idx_in_epoch % 2)


@pipeline_def(batch_size=3, num_threads=2, device_id=None, seed=3)
def retinanet_pipeline(files):
    jpegs, _ = fn.readers.file(files=files)
    boxes, labels, mirrored = fn.external_source(objects, batch=False, num_outputs=3)
    shapes = fn.peek_image_shape(jpegs)
    images = fn.decoders.image(jpegs, device="cpu")
    images = fn.resize(images, size=[48, 48], mode="not_larger", interp_type=types.INTERP_LINEAR)
    images = fn.flip(images, horizontal=mirrored)
    images = fn.pad(images, axis_names="HW", align=[16, 16])
    boxes = fn.bb_flip(boxes, ltrb=True, horizontal=mirrored)
    targets, kinds = fn.box_encoder(
        boxes,
        labels,
        anchors=ANCHORS.ravel().tolist(),
        criteria=0.4,
        offset=True,
        stds=[0.1, 0.1, 0.2, 0.2],
        scale=48.0,
    )
    positive = fn.reductions.sum(fn.cast(kinds > 0, dtype=types.INT32), axes=0)
    return images, shapes, fn.cast(targets * 100.0, dtype=types.INT16), kinds, positive


def main(data):
    pipe = retinanet_pipeline(sorted(glob.glob(data + "/val/*/*.jpg")))
    pipe.build()
    for _ in range(2):
        yield list(pipe.run())
