"""Cases of operators on arrays of any kind: types, shapes, parts and joins."""

from __future__ import annotations

from catalogue_case import Case

__all__ = ["TENSORS"]


def _types() -> dict[str, list[Case]]:
    return {
        "cast": [
            Case(("images",), lambda d, x: d.fn.cast(x, dtype=d.types.FLOAT), "UINT8 to FLOAT"),
            Case(("ragged",), lambda d, x: d.fn.cast(x, dtype=d.types.INT64), "UINT8 to INT64"),
        ],
        "cast_like": [
            Case(("images", "numbers"), lambda d, x, y: d.fn.cast_like(x, y), "UINT8 to FLOAT"),
            Case(("floats", "masks"), lambda d, x, y: d.fn.cast_like(x, y), "FLOAT to INT32"),
        ],
        "copy": [
            Case(("images",), lambda d, x: d.fn.copy(x)),
            Case(("ragged",), lambda d, x: d.fn.copy(x), "images of several sizes"),
        ],
        "lookup_table": [
            Case(("images",), lambda d, x: d.fn.lookup_table(x, keys=[3, 7], values=[0.5, 2.0]), "two keys"),
            Case(
                ("masks",),
                lambda d, x: d.fn.lookup_table(x, keys=[0, 1, 2], values=[5.0, 6.0, 7.0], dtype=d.types.UINT8),
                "three keys, dtype=UINT8",
            ),
        ],
        "one_hot": [
            Case(("labels",), lambda d, x: d.fn.one_hot(x, num_classes=80), "80 classes"),
            Case(
                ("masks",), lambda d, x: d.fn.one_hot(x, num_classes=4, axis=0, dtype=d.types.UINT8), "a mask, axis=0"
            ),
        ],
        "get_property": [
            Case(("images",), lambda d, x: d.fn.get_property(x, key="layout"), "layout"),
            Case(("frames",), lambda d, x: d.fn.get_property(x, key="layout"), "layout of frames"),
        ],
    }


def _filled() -> dict[str, list[Case]]:
    return {
        "constant": [
            Case((), lambda d, k: d.fn.constant(idata=[k, 2, 3]), "three numbers"),
            Case((), lambda d, k: d.fn.constant(fdata=[0.5 + k], shape=[d.side, d.side]), "one number, side x side"),
        ],
        "full": [
            Case((), lambda d, k: d.fn.full(k, shape=[d.side, d.side, 3]), "a number"),
            Case((), lambda d, k: d.fn.full([1, 2, 3 + k], shape=[d.side, d.side, 3]), "a number a channel"),
        ],
        "full_like": [
            Case(("images",), lambda d, x: d.fn.full_like(x, 7)),
            Case(("ragged",), lambda d, x: d.fn.full_like(x, [1, 2, 3]), "a number a channel"),
        ],
        "ones_like": [
            Case(("images",), lambda d, x: d.fn.ones_like(x)),
            Case(("ragged",), lambda d, x: d.fn.ones_like(x, dtype=d.types.FLOAT), "dtype=FLOAT"),
        ],
        "zeros_like": [
            Case(("images",), lambda d, x: d.fn.zeros_like(x)),
            Case(("ragged",), lambda d, x: d.fn.zeros_like(x, dtype=d.types.FLOAT), "dtype=FLOAT"),
        ],
    }


def _shapes() -> dict[str, list[Case]]:
    return {
        "expand_dims": [
            Case(("images",), lambda d, x: d.fn.expand_dims(x, axes=0), "axes=0"),
            Case(("ragged",), lambda d, x: d.fn.expand_dims(x, axes=0, new_axis_names="F"), 'new_axis_names="F"'),
        ],
        "reinterpret": [
            Case(("images",), lambda d, x: d.fn.reinterpret(x, layout="DHW"), "layout"),
            Case(("floats",), lambda d, x: d.fn.reinterpret(x, dtype=d.types.INT32), "dtype"),
        ],
        "reshape": [
            Case(("images",), lambda d, x: d.fn.reshape(x, shape=[-1]), "shape=[-1]"),
            Case(("ragged",), lambda d, x: d.fn.reshape(x, rel_shape=[1, -1], layout="HW"), "rel_shape=[1, -1]"),
        ],
        "squeeze": [
            Case(("masks",), lambda d, x: d.fn.squeeze(x, axes=2), "axes=2"),
            Case(("masks",), lambda d, x: d.fn.squeeze(x, axis_names="C"), 'axis_names="C"'),
        ],
        "transpose": [
            Case(("images",), lambda d, x: d.fn.transpose(x, perm=[2, 0, 1]), "to CHW"),
            Case(("ragged",), lambda d, x: d.fn.transpose(x, perm=[1, 0, 2]), "height and width"),
        ],
    }


def _parts() -> dict[str, list[Case]]:
    return {
        "cat": [
            Case(("images", "images"), lambda d, x, y: d.fn.cat(x, y, axis=0), "two, axis=0"),
            Case(("ragged",), lambda d, x: d.fn.cat(x, x, axis=2), "one twice, axis=2"),
        ],
        "element_extract": [
            Case(("frames",), lambda d, x: d.fn.element_extract(x, element_map=[0, 2]), "two of four frames"),
            Case(("frames",), lambda d, x: d.fn.element_extract(x, element_map=[3]), "one of four frames"),
        ],
        "pad": [
            Case(("images",), lambda d, x: d.fn.pad(x, axes=(0, 1), align=(64, 128)), "align"),
            Case(("ragged",), lambda d, x: d.fn.pad(x, axes=(0, 1), fill_value=7), "to the largest"),
        ],
        "permute_batch": [
            Case(("images",), lambda d, x: d.fn.permute_batch(x, indices=list(range(d.batch))[::-1]), "reversed"),
            Case(
                ("ragged",),
                lambda d, x: d.fn.permute_batch(x, indices=[1 + k // 2 for k in range(d.batch)]),
                "some twice",
            ),
        ],
        "per_frame": [
            Case(("points",), lambda d, x: d.fn.per_frame(x), "points"),
            Case(("maps",), lambda d, x: d.fn.per_frame(x, replace=True), "maps, replace=True"),
        ],
        "sequence_rearrange": [
            Case(("frames",), lambda d, x: d.fn.sequence_rearrange(x, new_order=[3, 1, 2, 0]), "four frames"),
            Case(("frames",), lambda d, x: d.fn.sequence_rearrange(x, new_order=[1, 1]), "one twice"),
        ],
        "stack": [
            Case(("images", "images"), lambda d, x, y: d.fn.stack(x, y), "two"),
            Case(("images", "images", "images"), lambda d, *all_: d.fn.stack(*all_, axis=2), "three, axis=2"),
        ],
    }


TENSORS = {**_filled(), **_parts(), **_shapes(), **_types()}
