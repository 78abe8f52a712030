"""Videos as encoded files: some of each one's first frames, in another order, and where it changes most."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


def main(data):
    pipe = Pipeline(batch_size=3, num_threads=2, device_id=None)
    with pipe:
        encoded, label = fn.readers.file(file_root=f"{data}/videos", file_filters=["*.webm", "*.avi"], name="Reader")
        clip = fn.decoders.video(
            encoded, device="cpu", start_frame=1, sequence_length=6, stride=2, pad_mode="reflect_101"
        )
        chosen = fn.decoders.video(encoded, device="cpu", frames=[0, 4, 2])
        backwards = fn.sequence_rearrange(clip, new_order=[5, 4, 3, 2, 1, 0])
        first = fn.element_extract(clip, element_map=[0])
        difference = fn.cast(clip, dtype=types.INT16) - fn.cast(backwards, dtype=types.INT16)
        pipe.set_outputs(clip, chosen, backwards, first, fn.reductions.max(difference, axes=(1, 2, 3)), label)
    pipe.build()
    yield pipe.reader_meta("Reader")["epoch_size"]
    for _ in range(2):
        yield pipe.run()
