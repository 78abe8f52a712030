"""RetinaNet's pipeline of COCO: boxes in pixels, ids for the evaluation, polygons for the segmentation."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


@pipeline_def(batch_size=2, num_threads=2, device_id=None)
def coco_pipeline(root, annotations, shard_id, num_shards):
    images, boxes, labels, polygons, vertices, ids = fn.readers.coco(
        file_root=root,
        annotations_file=annotations,
        polygon_masks=True,
        image_ids=True,
        ltrb=True,
        avoid_class_remapping=True,
        include_iscrowd=False,
        shard_id=shard_id,
        num_shards=num_shards,
        stick_to_shard=True,
        pad_last_batch=True,
        prefetch_queue_depth=2,
        name="coco",
    )
    images = fn.decoders.image(images, device="cpu", output_type=types.RGB)
    images = fn.crop_mirror_normalize(
        images,
        crop=(16, 16),
        dtype=types.FLOAT,
        mean=[123.7, 116.3, 103.5],
        std=[58.4, 57.1, 57.4],
        output_layout="HWC",
    )
    return images, boxes * 0.5, labels, polygons, vertices, ids


def main(data):
    for shard in range(2):
        pipe = coco_pipeline(data + "/coco", data + "/coco/annotations.json", shard, 2)
        pipe.build()
        yield pipe.reader_meta("coco")
        for _ in range(2):
            yield pipe.run()
