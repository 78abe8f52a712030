"""Windows of frames, and arguments of frames: what is done to a sequence is what is done to its frames."""

import numpy as np
import pytest

from jaxdali import GraphError, SourceDataError, fn, pipeline_def

RNG = np.random.default_rng(0)
CLIP = RNG.integers(0, 256, (6, 5, 4, 2), np.uint8)  # frames, height, width, channels
COUNTS = 3, 2


def run(outputs, batch_size=2):
    """Returns (layout, samples) of each output."""
    with pipeline_def(batch_size=batch_size)(outputs)() as pipe:
        return [(found.layout(), [np.asarray(found.at(k)) for k in range(batch_size)]) for found in pipe.run()]


def source(batch, layout=None):
    return fn.external_source(lambda: batch, layout=layout)


WIDE = {"out_of_bounds_policy": "pad", "fill_values": [7, 9]}


def windows(x, depth):
    size = {"crop_d": 3, "crop_h": 2, "crop_w": 3}
    return [
        fn.crop(x, **size, crop_pos_z=0.9, crop_pos_x=0.1),
        fn.crop(x, crop=(9, 2, 6), out_of_bounds_policy="trim_to_shape"),
        fn.crop(x, crop=(9, 2, 6), crop_pos_z=0.3, **WIDE),
        fn.crop(x, crop_d=depth, crop_h=2, crop_w=2),
        fn.crop(x, crop=fn.stack(depth, depth, depth)),
    ]


def test_a_window_of_frames_is_that_of_a_volume():
    """As in DALI, frames are the depth of windows, in every layout."""
    depths = [np.float32(2), np.float32(3)]

    def outputs():
        found = []
        for layout in ("DHWC", "FHWC", "CFHW"):
            order = ["FHWC".index(axis) for axis in layout.replace("D", "F")]
            x, depth = source([CLIP.transpose(order)] * 2, layout), source(depths)
            for made in windows(x, depth):
                found.append(fn.transpose(made, perm=np.argsort(order).tolist(), transpose_layout=True))
            options = {"crop_d": 9, "crop_h": 2, "crop_w": 6, "mean": [1, 2], "std": [2, 4], **WIDE}
            last = layout.replace("C", "") + "C"
            found.append(fn.crop_mirror_normalize(x, **options, mirror=1, output_layout=last))
            first = fn.crop_mirror_normalize(
                x, **options, mirror=1, output_layout=last[0] + "CHW" if "F" in last else "CDHW"
            )
            found.append(fn.transpose(first, perm=[0, 2, 3, 1] if "F" in last else [1, 2, 3, 0]))
        return tuple(found)

    found = run(outputs)
    volumes, *others = (found[k : k + 7] for k in range(0, 21, 7))
    for sequences in others:
        for (layout, wanted), (other, samples) in zip(volumes, sequences, strict=True):
            assert (layout, other) == ("DHWC", "FHWC")
            for one, two in zip(wanted, samples, strict=True):
                np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(volumes[0][1][0], CLIP[3:6, 2:4, 0:3])


def test_a_window_of_more_frames_than_there_are_is_an_error():
    with pytest.raises(SourceDataError, match="a volume or sequence is smaller than the window"):
        run(lambda: (fn.crop(source([CLIP] * 2, "FHWC"), crop=(9, 2, 2)),))


def of_frames(*shape):
    """An argument of each frame: a node, and the numbers of each sample."""
    made = [RNG.uniform(0.5, 2, (count, *shape)).astype(np.float32) for count in COUNTS]
    return lambda: fn.per_frame(source(made)), made


def transformed(points, matrix, offset):
    return np.einsum("fij,fpj->fpi", matrix, points) + offset[:, None]


def test_points_of_frames_have_arguments_of_their_own():
    points = [RNG.normal(size=(count, 5, 2)).astype(np.float32) for count in COUNTS]
    bare = [one[0] for one in points]
    row = [np.float32([2, 3]), np.float32([4, 5])]
    (matrix, matrices), (offset, offsets), (angle, angles) = of_frames(3, 2), of_frames(2), of_frames()
    square, squares = of_frames(2, 2)

    def outputs():
        x = source(points, "F**")
        turns = fn.transforms.rotation(angle=angle(), center=[1.0, 2.0])
        return (
            fn.coord_transform(x, M=matrix()),
            fn.coord_transform(x, M=square(), T=offset()),
            fn.coord_transform(x, T=source(row), M=square()),
            fn.coord_transform(source(bare), M=square()),
            fn.coord_transform(x, M=angle()),
            fn.coord_transform(x, MT=turns),
            turns,
            fn.transforms.combine(turns, fn.transforms.translation(offset=offset())),
            fn.transforms.translation(turns, offset=source(row)),
            fn.transforms.rotation(fn.transforms.scale(scale=source(row)), angle=5.0),
        )

    found = run(outputs)
    assert [layout for layout, _ in found] == ["F**", "F**", "F**", "", *["F**"] * 5, "**"]
    zeros, eyes = [np.zeros((count, 3), np.float32) for count in COUNTS], [np.stack([np.eye(2)] * c) for c in COUNTS]
    for k in range(2):
        maps = found[6][1][k]
        turn, move = maps[..., :2], maps[..., 2]
        radians = np.deg2rad(angles[k])
        np.testing.assert_allclose(turn[:, 0], np.stack([np.cos(radians), -np.sin(radians)], 1), atol=1e-6)
        wanted = [
            transformed(points[k], matrices[k], zeros[k]),
            transformed(points[k], squares[k], offsets[k]),
            transformed(points[k], squares[k], np.stack([row[k]] * COUNTS[k])),
            transformed(np.stack([bare[k]] * COUNTS[k]), squares[k], zeros[k][:, :2]),
            transformed(points[k], eyes[k] * angles[k][:, None, None], zeros[k][:, :2]),
            transformed(points[k], turn, move),
            maps,
            np.concatenate([turn, (move + offsets[k])[..., None]], 2),
            np.concatenate([turn, (move + row[k])[..., None]], 2),
        ]
        for number, one in enumerate(wanted):
            np.testing.assert_allclose(found[number][1][k], one, rtol=1e-5, atol=1e-5, err_msg=f"output {number}")


@pytest.mark.parametrize(
    ("graph", "error", "said"),
    [
        (
            lambda many: fn.brightness(source([CLIP[0]] * 2, "HWC"), brightness=many),
            GraphError,
            "brightness= of .*per frame",
        ),
        (
            lambda many: fn.paste(source([CLIP[0]] * 2, "HWC"), ratio=many, fill_value=0),
            GraphError,
            "ratio= of .*per frame",
        ),
        (lambda many: fn.gaussian_blur(source([CLIP] * 2, "FHWC"), sigma=many), SourceDataError, "one entry per frame"),
        (
            lambda many: fn.coord_transform(source([np.ones((4, 5, 2), np.float32)] * 2, "F**"), M=many),
            SourceDataError,
            "one entry per frame",
        ),
        (lambda many: fn.resize(source([CLIP[:3]] * 2, "FHWC"), resize_x=many), SourceDataError, "frames of one size"),
    ],
)
def test_arguments_of_frames_that_are_not_there_are_errors(graph, error, said):
    many = np.float32([4, 5, 6])
    with pytest.raises(error, match=said):
        run(lambda: (graph(fn.per_frame(source([many] * 2))),))


def test_salt_and_pepper_share_their_places_among_channels():
    layouts = {"HWC": 2, "CHW": 0, "": 2, "CFHW": 0}
    shapes = [[8] * (len(layout) or 3) for layout in layouts]
    images = [[np.full(shape, 100, np.uint8), np.full([6, *shape[1:]], 100, np.uint8)] for shape in shapes]

    def outputs():
        nodes = [source(batch, layout or None) for batch, layout in zip(images, layouts, strict=True)]
        return tuple(fn.noise.salt_and_pepper(x, prob=0.5, per_channel=each) for each in (False, True) for x in nodes)

    found = [samples for _, samples in run(outputs)]
    for channels, together, apart in zip(layouts.values(), found[:4], found[4:], strict=True):
        for one, other in zip(together, apart, strict=True):
            assert ((one == 100) == (one == 100).take([0], axis=channels)).all() and 0.3 < (one == 100).mean() < 0.7
            assert ((other == 100) != (other == 100).take([0], axis=channels)).any()
