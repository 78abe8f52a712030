"""Checks that the outputs of a graph have shapes that are known before a batch arrives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxdali.errors import ConfigError
from ..graph.call import DataNode

__all__ = ["check_dense"]


def check_dense(nodes: Sequence[DataNode], program: Any, names: Sequence[str]) -> None:
    """Raises ConfigError if the shape of an output is known only once a batch has arrived.

    Args:
        program: a `ChainProgram`; None if the device computes nothing.
    """
    for node, name in zip(nodes, names, strict=False):
        recipes = program and program.recipes_of(node)
        decoder = recipes and recipes.keeps_channels(node)
        if decoder is not None:
            raise ConfigError(
                f"output {name!r} is ragged: its images have as many channels as their files "
                f"({decoder.operator.display_name}, defined at {decoder.site}), and an array over several devices has one "
                f"shape for all of them; give {decoder.operator.display_name} output_type=types.RGB or GRAY"
            )
        decoder = recipes and recipes.ragged(node)
        if decoder is not None:
            raise ConfigError(
                f"output {name!r} is ragged: its images are as large as their files say ({decoder.operator.display_name}, "
                "defined "
                f"at {decoder.site}), and an array over several devices has one shape for all of them. Resize the images, "
                f"e.g. with fn.resize(images, size=(224, 224)), or {recipes.advice(node)}: then the output is a "
                "pair of padded images and their shapes"
            )
