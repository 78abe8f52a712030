"""Blobs of masks: by the CPU's calls, and by their definition as XLA compiles it."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from node_graphs import run

from jaxdali import boxes, fn
from jaxdali._device.boxes import object_boxes as objects
from jaxdali._device.ffi import cpu_calls


def flooded(labels: np.ndarray, held: np.ndarray) -> np.ndarray:
    """Finds the blobs of one mask, one after the other."""
    found = np.full(labels.shape, -1, np.int32)
    for number, start in enumerate(np.ndindex(labels.shape)):
        front = [start] if held[start] and found[start] < 0 else []
        while front:
            at = front.pop()
            if found[at] >= 0:
                continue
            found[at] = number
            for axis in range(labels.ndim):
                for step in (-1, 1):
                    beside = (*at[:axis], at[axis] + step, *at[axis + 1 :])
                    if 0 <= beside[axis] < labels.shape[axis] and held[beside] and labels[beside] == labels[start]:
                        front.append(beside)
    return found


def spiral(size: int) -> np.ndarray:
    """Draws a line that turns inwards: no other blob takes more steps to follow."""
    made, (y, x), (down, right) = np.zeros((size, size), np.int32), (0, 0), (0, 1)
    for _ in range(size * size // 2):
        made[y, x] = 1
        ahead = y + 2 * down, x + 2 * right
        if not all(0 <= one < size for one in ahead) or made[ahead]:
            down, right = right, -down
        y, x = y + down, x + right
        if not (0 <= y < size and 0 <= x < size):
            break
    return made


@pytest.mark.parametrize("shape", [(4, 19, 23), (3, 4, 5, 6)])
def test_blobs_and_their_boxes(shape):
    rng = np.random.default_rng(0)
    labels, held = rng.integers(0, 3, shape).astype(np.int32), rng.random(shape) < 0.9
    if len(shape) == 3:
        labels[0, :19, :19], held[0] = spiral(19), True
    program = jax.jit(boxes.blobs).lower(labels, held)
    assert "custom_call @jaxdali_blobs_v1" in program.as_text()
    found = np.asarray(program.compile()(labels, held))
    np.testing.assert_array_equal(found, [flooded(*one) for one in zip(labels, held, strict=True)])
    np.testing.assert_array_equal(found, jax.jit(objects._blobs_generically)(labels, held))
    sizes = jax.jit(objects._sizes)(found)
    np.testing.assert_array_equal(sizes, jax.jit(objects._sizes_generically)(found))
    for own, one in zip(np.asarray(sizes).reshape(len(labels), -1, labels.ndim - 1), found, strict=True):
        roots = np.unique(one[one >= 0])
        np.testing.assert_array_equal(own[roots], [np.ptp(np.argwhere(one == root), axis=0) + 1 for root in roots])
        assert np.count_nonzero(own.any(axis=1)) == len(roots)


def test_the_largest_are_found():
    rng = np.random.default_rng(2)
    labels, held = rng.integers(0, 2, (3, 6, 11)).astype(np.int32), rng.random((3, 6, 11)) < 0.9
    held[1] = False
    found = np.asarray(boxes.blobs(labels, held))
    volume = np.prod(objects._sizes(found), axis=-1).reshape(3, -1)
    roots = (found.reshape(3, -1) == np.arange(66)) & (rng.random((3, 66)) < 0.8)
    for most in (1, 3, 66):
        expected = np.zeros_like(roots)
        for own, flags, sizes in zip(expected, roots, volume, strict=True):
            order = sorted(np.flatnonzero(flags), key=lambda place, sizes=sizes: (-sizes[place], place))
            own[order[:most]] = True
        for way in (objects._largest, objects._largest_generically):
            run = jax.jit(way, static_argnames="most")
            np.testing.assert_array_equal(run(found, roots.reshape(found.shape), most=most).reshape(3, -1), expected)


def test_places_that_lie_are_left_out():
    found = np.asarray([[[-5, 6, 2**31 - 1], [0, 0, 5]]], np.int32)
    expected = np.zeros((1, 2, 3, 2), np.int32)
    expected[0, 0, 0], expected[0, 1, 2] = (1, 2), (1, 1)
    np.testing.assert_array_equal(cpu_calls.blob_extents(found), expected)
    kept = cpu_calls.largest_blobs(found, np.ones(found.shape, bool), 1)
    np.testing.assert_array_equal(kept, [[[True, False, False], [False, False, False]]])


def test_operands_that_contradict_each_other():
    with pytest.raises(jax.errors.JaxRuntimeError, match="jaxdali_blobs_v1: labels, held and the result"):
        jax.block_until_ready(cpu_calls.blobs(jnp.zeros((2, 3, 4), jnp.int32), jnp.zeros((2, 4, 3), bool)))


LEAST, MOST = -(2**31), 2**31 - 1


def test_the_default_background_is_no_class():
    """As in DALI: 0, else the next number below all classes; below the least one of 32 bits is the largest."""
    rows = {
        (1, 2, 3, 4): 0,
        (0, 1, 2, 3): -1,
        (0, -1, 5, -3): -4,
        (0, LEAST, 7, 7): MOST,
        (LEAST, MOST, 0, MOST - 1): MOST - 2,
        (0, LEAST, MOST, LEAST + 1): MOST - 1,
        (0, LEAST + 1, MOST, 1): LEAST,
    }

    def background(mask, classes):
        listed = fn.segmentation.random_object_bbox(
            mask, classes=list(next(iter(rows))), foreground_prob=0.0, output_class=True, format="box"
        )
        drawn = fn.segmentation.random_object_bbox(
            mask, classes=classes, foreground_prob=0.0, output_class=True, format="box"
        )
        return listed[1], drawn[1]

    masks = np.asarray([np.full((2, 2), one[0]) for one in rows], np.int32)
    one, each = run(background, masks, np.asarray(list(rows), np.int32))
    assert [int(np.asarray(each.at(row))) for row in range(len(rows))] == list(rows.values())
    assert int(np.asarray(one.at(0))) == 0
