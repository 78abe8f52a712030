"""Random draws and what follows from them, compared in distribution with DALI; and what headers of files say."""

from __future__ import annotations

import collections
import io

import numpy as np
import pytest
from beside_dali import SYSTEMS, forms, load, pipeline, results
from PIL import Image
from ragged_batches import check

pytestmark = pytest.mark.dali

SAMPLES = 4


def drawn(outputs, runs: int = 400):
    """Returns all samples of many batches for each system and output, `[runs, SAMPLES]`."""
    found = []
    for system in SYSTEMS:
        dali = load(system)
        pipe = pipeline(dali, batch_size=SAMPLES, prefetch_queue_depth=1)
        with pipe:
            pipe.set_outputs(*outputs(dali))
        pipe.build()
        runs_of = [[[np.array(out.at(k)) for k in range(SAMPLES)] for out in pipe.run()] for _ in range(runs)]
        found.append([np.asarray(one) for one in zip(*runs_of, strict=True)])
    return found


def test_choices_and_integers_are_as_likely_and_of_the_same_form():
    def outputs(dali):
        choice, types = dali.fn.random.choice, dali.types
        p = [0.1, 0.0, 0.6, 0.3]
        node = dali.fn.constant(fdata=p, device="cpu")
        rows = types.Constant(np.arange(8, dtype=np.uint8).reshape(4, 2))
        between, ends = dali.fn.random.uniform, dali.fn.constant(fdata=[-1.5, 1.5], device="cpu")
        return (
            *(choice(4), choice([5, 7, 9, 9], p=p), choice(rows, p=node, shape=[3]), choice([True, False], shape=2)),
            *(between(range=[0.5, 2.5], dtype=dtype, shape=2) for dtype in (types.INT32, types.UINT8, types.INT64)),
            *(between(range=ends, dtype=types.INT64, shape=2), between(range=[2.6, 2.7], dtype=types.UINT64)),
        )

    theirs, ours = drawn(outputs)
    for a, b in zip(theirs, ours, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        values = np.unique(a)
        np.testing.assert_array_equal(values, np.unique(b))
        for value in values:
            assert abs((a == value).mean() - (b == value).mean()) < 0.06


def test_a_choice_of_samples_that_differ():
    def outputs(dali, table, like):
        choice = dali.fn.random.choice
        return choice(table[:1]), choice(table[1:2], like), choice(table[:1], p=[1.0], shape=[2, 2])

    check(
        [
            ("", lambda rng: rng.normal(size=(rng.integers(2, 5), 3)).astype(np.float32)),
            ("", lambda rng: np.zeros(rng.integers(0, 3))),
        ],
        outputs,
    )


def test_betas_are_distributed_as_dalis():
    settings = [(0.5, 0.5), (1.0, 1.0), (2.0, 5.0), (0.1, 3.0), (30.0, 70.0)]

    def outputs(dali):
        return [dali.fn.random.beta(alpha=a, beta=b, shape=[20]) for a, b in settings]

    for (alpha, beta), theirs, ours in zip(settings, *drawn(outputs, 60), strict=True):
        assert theirs.dtype == ours.dtype and theirs.shape == ours.shape
        mean = alpha / (alpha + beta)
        deviation = np.sqrt(mean * (1 - mean) / (alpha + beta + 1))
        grid = np.linspace(0.05, 0.95, 10)
        # 4800 draws: the standard errors of quantiles and moments are about 1/70
        for found in (theirs, ours):
            assert abs(found.mean() - mean) < 0.06 * deviation and abs(found.std() / deviation - 1) < 0.06
        shares = [(np.sort(one.ravel())[None] < grid[:, None]).mean(axis=1) for one in (theirs, ours)]
        np.testing.assert_allclose(*shares, atol=0.035)


def test_permutations_are_as_likely():
    def outputs(dali):
        make = dali.fn.batch_permutation
        flags = [(repeated, moved) for repeated in (False, True) for moved in (False, True)]
        return [make(allow_repetitions=repeated, no_fixed_points=moved) for repeated, moved in flags]

    for theirs, ours in zip(*drawn(outputs, 1500), strict=True):
        assert theirs.dtype == ours.dtype
        counts = [collections.Counter(map(tuple, found.tolist())) for found in (theirs, ours)]
        if len(counts[0]) < 30:  # permutations
            assert set(counts[0]) == set(counts[1])
            assert all(abs(counts[0][one] - counts[1][one]) < 110 for one in counts[0])
        shares = [
            [[np.mean(found[:, k] == value) for value in range(SAMPLES)] for k in range(SAMPLES)]
            for found in (theirs, ours)
        ]
        np.testing.assert_allclose(*shares, atol=0.06)


def test_windows_of_shapes_are_distributed_as_dalis():
    def outputs(dali):
        shape = dali.fn.constant(idata=[48, 64, 3], device="cpu")
        one = dali.fn.random_crop_generator(shape)
        return *one, *dali.fn.random_crop_generator(shape, random_area=[0.2, 0.4], random_aspect_ratio=[1.0, 2.0])

    theirs, ours = drawn(outputs)
    assert [(one.dtype, one.shape) for one in theirs] == [(one.dtype, one.shape) for one in ours]
    for k in (0, 2):
        for make in (lambda start, size: start / (48, 64), lambda start, size: size / (48, 64)):
            a, b = (make(*found[k : k + 2]).reshape(-1, 2) for found in (theirs, ours))
            grid = np.linspace(0.1, 0.9, 9)[:, None, None]
            np.testing.assert_allclose((a < grid).mean(axis=1), (b < grid).mean(axis=1), atol=0.06)


def test_batches_in_another_order():
    def outputs(dali, data, order):
        fn = dali.fn
        return (
            fn.permute_batch(data, indices=order),
            fn.permute_batch(data, indices=[2, 0, 0]),
            fn.get_property(data, key="layout"),
        )

    check(
        [
            ("HW", lambda rng: rng.normal(size=rng.integers(1, 4, 2)).astype(np.float32)),
            ("", lambda rng: np.int32(rng.integers(0, 3))),
        ],
        outputs,
    )


def _file(kind: str, mode: str, orientation: int) -> np.ndarray:
    stream, exif = io.BytesIO(), Image.Exif()
    exif[274] = orientation
    channels = len(mode) if mode != "L" else None
    shape = (4, 6) if channels is None else (4, 6, channels)
    Image.fromarray(np.zeros(shape, np.uint8), mode).save(stream, kind, **({"exif": exif} if orientation > 1 else {}))
    return np.frombuffer(stream.getvalue(), np.uint8)


FILES = [
    ("JPEG", "RGB", 1),
    ("JPEG", "L", 6),
    ("JPEG", "CMYK", 3),
    ("PNG", "RGBA", 1),
    ("PNG", "LA", 1),
    ("JPEG", "RGB", 8),
]


def test_shapes_that_headers_tell():
    def program(dali):
        types = dali.types
        found = [_file(*one) for one in FILES]
        pipe = pipeline(dali, batch_size=len(found), prefetch_queue_depth=1)
        with pipe:
            files = dali.fn.external_source(lambda: found)
            nodes = [
                dali.fn.peek_image_shape(files, image_type=kind, adjust_orientation=turn, dtype=dtype)
                for kind in (types.RGB, types.GRAY, types.ANY_DATA)
                for turn, dtype in ((True, types.INT64), (False, types.FLOAT))
            ]
            pipe.set_outputs(*nodes, dali.fn.decoders.image(files, device="cpu").shape())
        pipe.build()
        return pipe

    theirs, ours = (results(program, system) for system in SYSTEMS)
    assert forms(ours) == forms(theirs) and ours == theirs
