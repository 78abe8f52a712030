"""Videos whose frames are stored as images: pairs of frames some distance apart, and a window of each."""

from nvidia.dali import fn, pipeline_def, types


@pipeline_def(batch_size=3, num_threads=2, device_id=None)
def frame_pipeline(root, image_type):
    frames = fn.readers.sequence(
        file_root=root, sequence_length=2, stride=3, step=2, image_type=image_type, name="Reader"
    )
    window = fn.crop(frames, crop=(12, 10), crop_pos_x=0.25, crop_pos_y=1.0)
    first, last = fn.element_extract(frames, element_map=[0, 1])
    return frames, fn.flip(window, horizontal=1), fn.cast(last, dtype=types.INT32) - fn.cast(first, dtype=types.INT32)


def main(data):
    for image_type in (types.RGB, types.BGR):
        pipe = frame_pipeline(f"{data}/frames", image_type)
        pipe.build()
        yield pipe.epoch_size("Reader")
        for _ in range(3):
            yield pipe.run()
