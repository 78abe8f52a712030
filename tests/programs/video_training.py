"""Data for a video network: clips of two classes with resized and cropped frames, and each first frame's number."""

from nvidia.dali import fn, pipeline_def, types


@pipeline_def(batch_size=2, num_threads=2, device_id=None, seed=3)
def clip_pipeline(root, shard_id, num_shards):
    clips, labels, first = fn.experimental.readers.video(
        device="cpu",
        file_root=root,
        sequence_length=4,
        stride=2,
        step=3,
        pad_mode="edge",
        enable_frame_num=True,
        shard_id=shard_id,
        num_shards=num_shards,
        stick_to_shard=True,
        name="Reader",
    )
    small = fn.resize(clips, resize_shorter=20)
    frames = fn.crop_mirror_normalize(
        small,
        crop=(16, 16),
        mean=[118.0, 112.0, 104.0],
        std=[58.0, 57.0, 59.0],
        dtype=types.FLOAT,
        output_layout="FCHW",
    )
    return frames, labels, first


def main(data):
    for shard in range(2):
        pipe = clip_pipeline(f"{data}/videos", shard, 2)
        pipe.build()
        yield pipe.epoch_size("Reader")
        for _ in range(2):
            yield pipe.run()
