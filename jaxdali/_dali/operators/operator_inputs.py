"""Inputs that many operators share."""

from __future__ import annotations

import dataclasses

from .declaration import Input

__all__ = ["ANY", "AXES", "IMAGES", "assuming"]

ANY = Input("data", "any numbers")
IMAGES = Input(
    "data", 'images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame', takes="images"
)
AXES = Input(
    "data",
    'images, such as "HWC", or volumes, such as "DHWC", with channels first, last or none; for sequences ("FHWC", ...) each '
    "frame. The other axes count in the order that they have, whatever their letters",
    takes="images",
    in_order=True,
)


def assuming(declared: Input, *layouts: str) -> Input:
    """Returns an input whose samples, if they have no layout, get the one of these that has as many axes, as in DALI."""
    listed = " or ".join(f'"{layout}"' for layout in layouts)
    doc = f"{declared.doc}. Without a layout they are taken for {listed}, by their number of axes"
    return dataclasses.replace(declared, doc=doc, assumed=layouts)
