"""Detection in large images: patches of a fixed size in pixels that contain objects, cut out of the decoded images."""

import glob

import numpy as np
from nvidia.dali import fn, pipeline_def, types


def objects(info):
    rng = np.random.default_rng(info.idx_in_epoch)
    corner = rng.uniform(0.1, 0.6, (2 + info.idx_in_epoch % 3, 2))
    boxes = np.concatenate([corner, rng.uniform(0.1, 0.3, corner.shape)], axis=1).astype(np.float32)
    return boxes, np.arange(len(boxes), dtype=np.int32)


@pipeline_def(batch_size=2, num_threads=2, device_id=None, seed=15)
def detection_pipeline(files):
    jpegs, _ = fn.readers.file(files=files)
    boxes, labels = fn.external_source(objects, batch=False, num_outputs=2)
    extents = fn.slice(fn.peek_image_shape(jpegs, dtype=types.INT32), 0, 2, axes=[0])
    images = fn.decoders.image(jpegs, device="cpu")
    anchor, shape, boxes, labels, kept = fn.random_bbox_crop(
        boxes,
        labels,
        crop_shape=[24, 32],
        input_shape=extents,
        shape_layout="HW",
        bbox_layout="xyWH",
        thresholds=[0.0],
        num_attempts=5,
        total_num_attempts=20,
        bbox_prune_threshold=0.25,
        output_bbox_indices=True,
        quiet=True,
    )
    patches = fn.crop(images, crop=[24, 32], crop_pos_x=0.5, crop_pos_y=0.5)
    windows = fn.slice(images, anchor, shape, normalized_anchor=False, normalized_shape=False)
    mirror = fn.random.coin_flip()
    return (
        fn.flip(windows, horizontal=mirror),
        fn.pad(fn.bb_flip(boxes, horizontal=mirror), axes=[0], shape=[4]),
        fn.pad(labels, axes=[0], shape=[4], fill_value=-1),
        fn.pad(kept, axes=[0], shape=[4], fill_value=-1),
        anchor,
        shape,
        patches,
        extents,
    )


def main(data):
    pipe = detection_pipeline(sorted(glob.glob(data + "/train/*/*.jpg"))[:6])
    pipe.build()
    for _ in range(2):
        yield list(pipe.run())
