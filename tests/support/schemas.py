"""DALI's own descriptions of the operators that jaxdali has, as recorded in dali_schemas.json.

`python tests/support/schemas.py` writes the record anew, with DALI.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import pathlib
from typing import Any

from jaxdali._dali.graph.declarations import operators
from jaxdali._dali.operators.classes import class_name
from jaxdali._dali.operators.declaration import Operator

RECORD = pathlib.Path(__file__).with_name("dali_schemas.json")


@dataclasses.dataclass(frozen=True)
class Argument:
    """An argument of an operator.

    Attributes:
        type: DALI's name of its type; those that end with _VEC are lists.
        node: it may be a node, with a value for each sample.
        frames: such a node may have a value for each frame.
        required: it must be given.
        deprecated: DALI warns of it.
        default: its default as DALI writes it; None if there is none, or DALI does not tell.
    """

    type: str
    node: bool
    frames: bool
    required: bool
    deprecated: bool
    default: str | None


@dataclasses.dataclass(frozen=True)
class Schema:
    """What DALI says about an operator: the least and largest number of inputs, the layouts that each of the least number
    of inputs may have (none: any), and its arguments.
    """

    inputs: tuple[int, int]
    layouts: list[list[str]]
    arguments: dict[str, Argument]


def declared() -> dict[str, Operator]:
    """Returns the operators of `fn`, by name."""
    return {name: one for name, one in operators().items() if isinstance(one, Operator) and one.namespace == "fn"}


def recorded() -> dict[str, Schema]:
    """Returns the record."""
    found = {}
    for name, record in json.loads(RECORD.read_text()).items():
        arguments = {argument: Argument(*row) for argument, row in record["arguments"].items()}
        found[name] = Schema(tuple(record["inputs"]), record["layouts"], arguments)
    return found


def installed() -> dict[str, Schema]:
    """Returns what the installed DALI says."""
    importlib.import_module("nvidia.dali.fn")  # it registers operators that are written in Python
    backend: Any = importlib.import_module("nvidia.dali.backend")
    found = {}
    for name in sorted(declared()):
        *room, own = name.split(".")
        found[name] = _schema(backend.GetSchema("__".join([*room, class_name(own)])))
    return found


def _schema(theirs: Any) -> Schema:
    layouts = [[str(layout) for layout in theirs.GetSupportedLayouts(k)] for k in range(theirs.MinNumInput())]
    names = sorted(theirs.GetArgumentNames())
    inputs = theirs.MinNumInput(), theirs.MaxNumInput()
    return Schema(inputs, layouts, {name: _argument(theirs, name) for name in names})


def _argument(theirs: Any, name: str) -> Argument:
    return Argument(
        type=theirs.GetArgumentType(name).name,
        node=theirs.IsTensorArgument(name),
        frames=theirs.ArgSupportsPerFrameInput(name),
        required=not theirs.IsArgumentOptional(name),
        deprecated=theirs.IsDeprecatedArg(name),
        default=theirs.GetArgumentDefaultValueString(name) if theirs.HasArgumentDefaultValue(name) else None,
    )


def main() -> None:
    """Writes the record; each argument has a line."""
    lines = []
    for name, schema in installed().items():
        rows = [f"  {json.dumps(key)}: {json.dumps(dataclasses.astuple(one))}" for key, one in schema.arguments.items()]
        head = f'"inputs": {json.dumps(schema.inputs)}, "layouts": {json.dumps(schema.layouts)}'
        arguments = ",\n".join(rows)
        lines.append(f' {json.dumps(name)}: {{{head}, "arguments": {{\n{arguments}\n }}}}')
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
