"""The programs that pages show: an example, what makes its inputs, and what prints its results."""

from __future__ import annotations

import ast
import textwrap

from .example import Example

__all__ = ["program"]

# What a program may need, in the order in which imports stand.
_STANDARD = {"json": "import json", "pathlib": "import pathlib"}
_IMPORTS = {
    "jax": "import jax",
    "jnp": "import jax.numpy as jnp",
    "np": "import numpy as np",
    "Image": "from PIL import Image",
    "jaxdali": "import jaxdali",
    "tfrec": "import jaxdali.tfrecord as tfrec",
}
_OURS = ("augment", "fn", "image", "pipeline_def", "random", "types")
_AUTO_AUG = ("augmentations", "auto_augment", "rand_augment", "trivial_augment")


def program(example: Example) -> str:
    """Returns the program of an example, which runs as it is beside the files that it reads."""
    lines = example.kit.lines_for(set(example.inputs))
    gives = "".join(f"# {text}\n" for text in example.gives)
    if example.kit.in_pipeline:
        given = "".join(f"{textwrap.indent(line, '    ')}\n" for line in lines)
        fed = f"    {example.fed}\n" if example.fed else ""
        text = (
            f"@pipeline_def(batch_size=2, num_threads=1, seed=7)\ndef pipeline():\n{given}"
            f"{textwrap.indent(example.body, '    ')}\n\nwith pipeline() as pipe:\n{fed}    outputs = pipe.run()\n"
            f"for output in outputs:  # the first sample of each\n"
            f"    print(output.dtype.name, output.shape()[0], output.layout())\n{gives}"
        )
        between = "\n\n"
    else:
        given = "".join(f"{line}\n" for line in lines)
        text = (
            f"{given}\n\n@jax.jit\ndef example({', '.join(example.inputs)}):\n{textwrap.indent(example.body, '    ')}"
            f"\n\nresult = example({', '.join(example.inputs)})\n"
            f"for array in jax.tree.leaves(result):\n    print(array.dtype, array.shape)\n{gives}"
        )
        between = "\n"
    return f"{_imports(text)}{between}{text}"


def _imports(text: str) -> str:
    names = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]
    used = {node.id for node in names} - {node.id for node in names if isinstance(node.ctx, ast.Store)}
    standard = [line for name, line in _STANDARD.items() if name in used]
    lines = [line for name, line in _IMPORTS.items() if name in used]
    if ours := [name for name in _OURS if name in used]:
        lines.append(f"from jaxdali import {', '.join(ours)}")
    if several := [name for name in _AUTO_AUG if name in used]:
        lines.append(f"from jaxdali.auto_aug import {', '.join(several)}")
    return "\n".join([*standard, *([""] if standard else []), *lines]) + "\n"
