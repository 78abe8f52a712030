"""Inputs that many operators share."""

from __future__ import annotations

from .declaration import Input

__all__ = ["ANY", "IMAGES"]

ANY = Input("data", "any numbers")
IMAGES = Input(
    "data", 'images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame', takes="images"
)
