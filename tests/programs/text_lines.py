"""Lines of text for a recogniser: gray, 16 pixels high, with widths padded to a multiple of 8, and lengths."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


@pipeline_def(batch_size=3, num_threads=2, device_id=None)
def line_pipeline(file_list, root):
    files, labels = fn.readers.file(file_root=root, file_list=file_list, name="lines")
    pages = fn.decoders.image(files, device="cpu", output_type=types.GRAY)
    line = fn.slice(pages, rel_start=[0.25], rel_end=[0.75], axes=[0])
    line = fn.resize(line, resize_y=16, interp_type=types.INTERP_LINEAR, max_size=[16, 200])
    widths = fn.slice(line.shape(dtype=types.INT32), start=[1], end=[2], axes=[0])
    ink = (255 - line) / 255.0
    padded = fn.pad(ink, axis_names="W", align=8, fill_value=0)
    steps = (widths + 3) // 4
    return padded, widths, steps, fn.reductions.mean(ink, axis_names="H"), labels


def main(data):
    pipe = line_pipeline(data + "/train.txt", data)
    pipe.build()
    for _ in range(2):
        yield pipe.run()
