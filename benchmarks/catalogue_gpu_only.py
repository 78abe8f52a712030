"""Cases of operators that DALI has on GPUs only: they are compared with it and measured there."""

from __future__ import annotations

from typing import Any

from catalogue_case import Case, Dali, constant, image_pair, read

__all__ = ["GPU_ONLY"]


def _moved(**given: Any) -> Case:
    """Takes each pixel from where two maps point."""

    def call(dali: Dali, images: Any, columns: Any, rows: Any) -> Any:
        return dali.fn.experimental.remap(images, columns, rows, **read(dali, given))

    text = ", ".join(f"{key}={value}" for key, value in given.items())
    return Case(("images", "columns", "rows"), call, text, off=1e-2)


GPU_ONLY = {
    "experimental.dilate": image_pair(
        "experimental.dilate", {"mask_size": (3, 3)}, {"mask_size": (5, 3), "iterations": 2, "border_mode": "replicate"}
    ),
    "experimental.erode": image_pair(
        "experimental.erode", {"mask_size": (3, 3)}, {"mask_size": (5, 3), "iterations": 2, "border_mode": "replicate"}
    ),
    "experimental.median_blur": image_pair("experimental.median_blur", {"window_size": 3}, {"window_size": (5, 5)}),
    "experimental.remap": [
        _moved(interp=constant("INTERP_LINEAR")),
        _moved(interp=constant("INTERP_NN"), pixel_origin="center"),
    ],
    "jitter": image_pair("jitter", {"nDegree": 4}, {"nDegree": 9, "fill_value": 7.0}, drawn=True),
}
