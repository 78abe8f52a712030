"""Subscripts of nodes, compared with NumPy's."""

import numpy as np
import pytest
from node_graphs import run

from jaxdali import ConfigError, GraphError, SourceDataError, newaxis

CUBE = np.arange(120, dtype=np.uint8).reshape(2, 3, 4, 5)
CONSTANT = [
    *(np.s_[0], np.s_[-1], np.s_[1:], np.s_[:2], np.s_[:], np.s_[1:3, 2], np.s_[::2], np.s_[::-1], np.s_[2:0:-1]),
    *(np.s_[..., 1], np.s_[...], np.s_[1:2, ..., -1], np.s_[1:9], np.s_[-9:2], np.s_[2:1], np.s_[3:], np.s_[:-4]),
    *(np.s_[0, 0, 0], np.s_[np.int32(1)], np.s_[:, :, 1:3], np.s_[-1:], np.s_[:, -3::2, 4:1:-2]),
]


def whole(key):
    return (slice(None), *(key if isinstance(key, tuple) else (key,)))


def test_samples_of_one_shape():
    for key, output in zip(CONSTANT, run(lambda x: [x[one] for one in CONSTANT], CUBE), strict=True):
        np.testing.assert_array_equal(output.as_array(), CUBE[whole(key)], str(key))


SIZES = (3, 4, 37)
RAGGED = [np.arange(n * 2 * n, dtype=np.int32).reshape(n, 2, n) + n for n in SIZES]
OF_RAGGED = [
    *(np.s_[-1], np.s_[2], np.s_[-3:], np.s_[1:-1], np.s_[:3], np.s_[3:], np.s_[-4:], np.s_[::2], np.s_[::-1]),
    *(np.s_[1, :, -1], np.s_[5:1:-2], np.s_[-1::-3], np.s_[:, 1], np.s_[..., 1:], np.s_[:-2, 0, 1:3], np.s_[:-40]),
]


def test_samples_of_different_shapes():
    for key, output in zip(OF_RAGGED, run(lambda x: [x[one] for one in OF_RAGGED], RAGGED), strict=True):
        for k, sample in enumerate(RAGGED):
            np.testing.assert_array_equal(output.at(k), sample[key], f"{key} of {sample.shape}")


def test_indices_may_be_nodes():
    keys = [
        *(
            lambda i: np.s_[i],
            lambda i: np.s_[i:],
            lambda i: np.s_[:i],
            lambda i: np.s_[i : i + 1],
            lambda i: np.s_[:, :, i],
        ),
        *(lambda i: np.s_[-i, 0:1], lambda i: np.s_[i:9], lambda i: np.s_[i::-1], lambda i: np.s_[-i:, 1, i]),
    ]
    indices = np.array([1, 2, 1], np.int64)
    for batch in (np.stack([RAGGED[0]] * 3), RAGGED):
        outputs = run(lambda x, i: [x[key(i)] for key in keys], batch, indices)
        for number, (key, output) in enumerate(zip(keys, outputs, strict=True)):
            for k, index in enumerate(indices.tolist()):
                np.testing.assert_array_equal(output.at(k), batch[k][key(index)], f"key {number} of sample {k}")


def test_new_axes_and_layouts():
    keys = [
        *(
            np.s_[0],
            np.s_[:, 1],
            np.s_[newaxis("N")],
            np.s_[newaxis],
            np.s_[:, newaxis],
            np.s_[0, 0],
            np.s_[..., newaxis("D")],
        ),
        *(np.s_[newaxis("N"), 1:2], np.s_[1, newaxis("N")]),
    ]
    outputs = run(lambda x: [x[key] for key in keys], CUBE, layouts=["HWC"])
    assert [(output.layout(), output.shape()[0]) for output in outputs] == [
        *(("WC", (4, 5)), ("HC", (3, 5)), ("NHWC", (1, 3, 4, 5)), ("", (1, 3, 4, 5)), ("", (3, 1, 4, 5)), ("C", (5,))),
        *(("HWCD", (3, 4, 5, 1)), ("NHWC", (1, 1, 4, 5)), ("NWC", (1, 4, 5))),
    ]
    (ragged,) = run(lambda x: x[:, newaxis, 0], RAGGED)
    assert ragged.shape() == [(n, 1, n) for n in SIZES]


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (np.s_[3], r"Index 3 is out of range for axis 0 of length 3, in the subscript 3 at .*test_\w+.py:\d+"),
        (np.s_[:, -5], "Index -5 is out of range for axis 1 of length 4, in the subscript :, -5 at"),
        (np.s_[0, 0, 0, 0], r"Too many indices \(4\) for a 3D tensor, in the subscript 0, 0, 0, 0"),
        (np.s_[newaxis("N")], "a new axis with a name needs an input with a layout"),
    ],
)
def test_subscripts_that_do_not_fit(key, words):
    with pytest.raises(GraphError, match=words):
        run(lambda x: x[key], CUBE)


@pytest.mark.parametrize(
    ("key", "error", "words"),
    [
        (1.5, TypeError, "Invalid type for an index: float"),
        ("a", TypeError, "Invalid type for an index: str"),
        (True, TypeError, "Invalid type for an index: bool"),
        ([0, 1], TypeError, "Invalid type for an index: list"),
        (None, TypeError, "write `:`, or jaxdali.newaxis"),
        (np.s_[::0], ConfigError, "cannot be 0"),
        (np.s_[::1.5], TypeError, "step of a subscript must be an integer"),
        (np.s_[..., ...], ConfigError, "at most one"),
    ],
)
def test_subscripts_that_are_none(key, error, words):
    with pytest.raises(error, match=words):
        run(lambda x: x[key], CUBE)


def test_indices_outside_of_a_sample():
    for draw, sample in ((lambda x, i: x[3], 0), (lambda x, i: x[:, :, i], 1), (lambda x, i: x[i], 1)):
        with pytest.raises(SourceDataError, match=r"is out of range for axis \d, in the subscript") as caught:
            run(draw, RAGGED, np.array([2, -5, 0]))
        assert caught.value.sample_index == sample


def test_nodes_that_are_no_indices():
    with pytest.raises(GraphError, match=r"Array index must be of integral type. Got: float32"):
        run(lambda x, i: x[i], CUBE, np.ones(2, np.float32))
    with pytest.raises(GraphError, match=r"must be scalar \(0D\). Got 1D tensor"):
        run(lambda x, i: x[i:], CUBE, np.ones((2, 2), np.int32))
    with pytest.raises(GraphError, match="Got: bool"):
        run(lambda x, i: x[i], CUBE, np.ones(2, bool))


@pytest.mark.parametrize("key", [np.s_[: 10**12], np.s_[-(10**12) :], np.s_[0 : 2**40 : 2]])
def test_ends_of_slices_may_lie_far_behind_the_samples(key):
    ragged = [np.arange(count) for count in (2, 5)]
    for found, sample in zip(run(lambda x: x[key], ragged)[0], ragged, strict=True):
        np.testing.assert_array_equal(np.asarray(found), sample[key])


def test_an_index_that_no_axis_has_is_refused():
    with pytest.raises(ConfigError, match="an index is at most 2147483647, got 1000000000000"):
        run(lambda x: x[10**12], np.zeros((1, 3)))
