"""Selects the polygons of some masks."""

from __future__ import annotations

from jaxdali.errors import GraphError
from ..argument_kinds import FLAG
from ..declaration import Input, Static, operator
from ..values import BatchValue, Context

__all__ = ["select_masks"]


@operator(
    "segmentation.select_masks",
    inputs=[
        Input("mask_ids", "the masks to select, integers [number], each once", takes="mask_ids"),
        Input(
            "polygons",
            "integers [number, 3]: for each polygon its mask, and where its vertices begin and end",
            takes="polygons",
        ),
        Input("vertices", "coordinates of the vertices, numbers [number, any]", takes="vertices"),
    ],
    params=[Static("reindex_masks", FLAG, False, "identify masks in the output by their position in `mask_ids`")],
    outputs=lambda _params: 2,
    returns="The polygons, whose vertices are one behind the other, and these.",
    raises={
        "SourceDataError": "a mask is not there or comes twice, or vertices are not there, or polygons that share some have "
        "more than the input; where the batch is handed out"
    },
)
def select_masks(
    context: Context, ids: BatchValue, polygons: BatchValue, vertices: BatchValue, *, reindex_masks: bool
) -> tuple[BatchValue, BatchValue]:
    """Selects the polygons of some masks, in the order of these masks; DALI's operator. See
    `jaxdali.boxes.select_masks`.
    """
    import jax.numpy as jnp

    from jaxdali._device.boxes.polygons import select_masks as compute

    given = (ids, polygons, vertices)
    if any(one.data.dtype.kind not in "iu" for one in given[:2]) or [one.data.ndim for one in given] != [2, 3, 3]:
        told = ", ".join(f"{one.data.dtype} {list(one.data.shape[1:])}" for one in given)
        raise GraphError(
            f"fn.segmentation.select_masks expects integers [k], integers [p, 3] and numbers [v, any], got {told}"
        )
    if polygons.data.shape[2] != 3:
        raise GraphError(f"polygons of fn.segmentation.select_masks have 3 columns, got {polygons.data.shape[2]}")
    first, second, third = (None if one.shapes is None else one.shapes[:, 0] for one in given)
    found, moved, chosen, total, held = compute(
        ids.data, polygons.data, vertices.data, (first, second, third), reindex=reindex_masks
    )
    context.require(
        held,
        "fn.segmentation.select_masks expects masks that exist, each once, and no vertices beyond those that exist",
    )
    columns = moved.shape[2] if vertices.shapes is None else vertices.shapes[:, 1]
    return (
        BatchValue(found, jnp.stack([chosen, jnp.full_like(chosen, 3)], axis=1)),
        BatchValue(moved, jnp.stack([total, jnp.broadcast_to(columns, total.shape)], axis=1), "", vertices.wide),
    )
