"""Key points of faces: the points go through the same map as their image, and are mirrored with it."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import Pipeline

SIZE = 40


def points():
    k = 0
    while True:
        rng = np.random.default_rng(k)
        k += 1
        yield [rng.uniform(5, 35, (4 + row, 2)).astype(np.float32) for row in range(3)]


def main(data):
    pipe = Pipeline(batch_size=3, num_threads=2, device_id=None, seed=4)
    with pipe:
        jpegs, _ = fn.readers.file(file_root=data + "/train", name="faces")
        images = fn.crop(fn.decoders.image(jpegs, device="cpu"), crop=(SIZE, SIZE))
        found = fn.external_source(source=points)
        angle = fn.reductions.mean(found) - 20.0
        turn = fn.transforms.rotation(angle=angle * 4.0, center=[SIZE / 2, SIZE / 2])
        grow = fn.transforms.scale(turn, scale=[1.25, 0.75], center=[SIZE / 2, SIZE / 2])
        whole = fn.transforms.translation(grow, offset=[2.0, -3.0])
        moved = fn.coord_transform(found, MT=whole)
        warped = fn.warp_affine(images, matrix=whole, size=(SIZE, SIZE), fill_value=0, inverse_map=False)
        mirrored = fn.coord_flip(moved, flip_x=1, flip_y=0, center_x=SIZE / 2)
        inside = (mirrored >= 0.0) & (mirrored < float(SIZE))
        scaled = fn.cast(inside, dtype=types.FLOAT) * mirrored / float(SIZE)
        pipe.set_outputs(
            fn.flip(warped, horizontal=1),
            moved,
            scaled,
            fn.reductions.min(fn.cast(inside, dtype=types.UINT8), axes=[1]),
        )
    pipe.build()
    for _ in range(2):
        yield pipe.run()
