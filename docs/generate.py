"""Makes what follows from the declarations of operators: the stubs of `fn`, `ops` and `math`, which a test compares with
what this would write, and pages of the site: operators, galleries and names.

`python docs/generate.py` writes the stubs; `make docs` writes them, too, and takes the pages into the site.
"""

from __future__ import annotations

import json
import pathlib
import re
import sys
import textwrap
from collections.abc import Sequence

import jaxdali
from jaxdali._base.dali_names import NAMES, hint_for
from jaxdali._dali.graph.declarations import operators
from jaxdali._dali.operators.arithmetic.operations import FUNCTIONS
from jaxdali._dali.operators.classes import class_name
from jaxdali._dali.operators.declaration import REQUIRED, Operator, Param
from jaxdali._dali.operators.old import OLD_NAMES
from jaxdali._dali.operators.operator_functions import describe, shown

sys.path.append(str(pathlib.Path(__file__).resolve().parent))

from gallery import measured
from gallery.pages import pages as gallery_pages

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ("", "decoders", "noise", "random", "readers", "reductions", "segmentation", "transforms")
# Rooms that have old names, too, or rooms in them, and those.
OLD_ROOMS = {
    "experimental": ("decoders", "inputs", "readers"),
    "experimental.decoders": (),
    "experimental.inputs": (),
    "experimental.readers": (),
    "io": ("file",),
    "io.file": (),
}

# What stubs may need: modules, and their names.
_MODULES = {
    "": ["os"],
    "collections": ["abc"],
    "collections.abc": ["Callable", "Iterable", "Mapping", "Sequence"],
    "typing": ["Any", "Literal", "overload"],
}
_OURS = {
    "..pipeline": ["DataNode"],
    "..tfrecord": ["Feature"],
    "..types": ["DALIDataType", "DALIImageType", "DALIInterpType"],
}
_COMMON = {
    "device": "str | None = None",
    "name": "str | None = None",
    "preserve": "bool = False",
    "bytes_per_sample_hint": "int | Sequence[int] | None = None",
}


def pages() -> dict[str, str]:
    """The pages that are written, by path in the site: of operators, galleries, and names."""
    catalogue = json.loads((ROOT / "docs/catalogue.json").read_text())
    found = gallery_pages(measured.sentences(catalogue))
    return {**found, "operators/measured.md": measured.page(catalogue), "names.md": _names()}


def stubs() -> dict[pathlib.Path, str]:
    """The stubs that are written, by path from the root of the clone."""
    found = {pathlib.Path("jaxdali/math.pyi"): _math()}
    for room in ROOMS:
        name = f"{room or '__init__'}.pyi"
        found[pathlib.Path("jaxdali/fn", name)] = _stub(room, _function)
        found[pathlib.Path("jaxdali/ops", name)] = _stub(room, _class)
    for door in ("fn", "ops"):
        for room, inner in OLD_ROOMS.items():
            path = f"{room.replace('.', '/')}{'/__init__' if inner else ''}.pyi"
            found[pathlib.Path("jaxdali", door, path)] = _old_room(door, room, _function if door == "fn" else _class)
    return found


def _of(room: str) -> list[Operator]:
    mine = [one for one in operators().values() if isinstance(one, Operator) and one.namespace == "fn"]
    return sorted((one for one in mine if one.name.rpartition(".")[0] == room), key=lambda one: one.name)


def _stub(room: str, write) -> str:
    bodies = [write(one) for one in _of(room)]
    if not room:  # old names of what is a method of nodes now
        methods = {old: operators()[name] for old, name in OLD_NAMES.items() if "." not in old + name}
        bodies += [write(one, old) for old, one in methods.items()]
    rooms = (
        [f"from . import {name} as {name}\n" for name in sorted([*ROOMS[1:], "experimental", "io"])] if not room else []
    )
    body = "\n".join(bodies)
    for kind in _MODULES["collections.abc"]:
        if f"class {kind}:" in body:  # an operator of that name
            body = body.replace(f"{kind}[", f"abc.{kind}[")
    ours = _OURS
    if not room:
        aliases = _old("fn" if write is _function else "ops", room)
        body += "\n" + "".join(f"{own} = {place}.{now}\n" for place, now, own in aliases)
        if write is _class:
            ours = {"jaxdali._dali.operators.compose": ["Compose as Compose"], **_OURS}
    modules = _MODULES if write is _function else {"typing": ["Any"]}
    parts = [_imports(modules, body), "import numpy as np\n" if "np." in body else "", _imports(ours, body, rooms)]
    return "\n".join([*filter(None, parts), body])


def _old_room(door: str, room: str, write) -> str:
    """The stub of a room of old names, which are those of other rooms, and of what is nowhere else."""
    deeper = room.count(".") + (2 if OLD_ROOMS[room] else 1)
    lines = [f"from {'.' * deeper}{place} import {now} as {own}\n" for place, now, own in _old(door, room)]
    rooms = [f"from . import {name} as {name}\n" for name in OLD_ROOMS[room]]
    body = "\n".join(write(one) for one in _of(room))
    ours = {"." * (deeper - 1) + module: names for module, names in _OURS.items()}
    parts = [_imports(_MODULES, body), "import numpy as np\n" if "np." in body else "", _imports(ours, body)]
    parts[-1] += "".join([*lines, *rooms])
    return "\n".join([*filter(None, parts), *filter(None, [body])])


def _old(door: str, room: str) -> list[tuple[str, str, str]]:
    """The room and the name of what has an old name in this one, and that. Methods of nodes have no room."""
    spell = str if door == "fn" else class_name
    found = []
    for old, name in OLD_NAMES.items():
        place, _, now = name.rpartition(".")
        # Right in its door an operator has its own name, and that of a method of nodes is written out.
        if old.rpartition(".")[0] == room and (place or room):
            found.append((place, spell(now), spell(old.rpartition(".")[2])))
    return found


def _imports(modules: dict[str, list[str]], body: str, more: Sequence[str] = ()) -> str:
    lines = []
    for module, names in modules.items():
        text = re.sub(r'""".*?"""', "", body, flags=re.S)
        used = [name for name in names if " as " in name or re.search(rf"(?<!class )(?<!abc\.)\b{name}\b", text)]
        if used:
            lines.append(f"from {module} import {', '.join(used)}\n" if module else f"import {', '.join(used)}\n")
    return "".join([*lines, *more])


def _annotation(param: Param) -> str:
    text = param.kind.annotation + (" | DataNode" if param.per_sample or param.chosen else "")
    return text + (" | None" if param.default is None and "Any" not in text else "")


def _arguments(operator: Operator) -> list[str]:
    found = []
    for param in shown(operator):
        default = "" if param.default is REQUIRED else " = ..."
        found.append((param.name in operator.positional, f"{param.name}: {_annotation(param)}{default}"))
    mine = {param.name for param in operator.params}
    found += [(False, f"{name}: {text}") for name, text in _COMMON.items() if name not in mine]
    by_position = [text for positional, text in found if positional]
    return [*by_position, "*", *(text for positional, text in found if not positional), "**dali: Any"]


def _inputs(operator: Operator) -> list[str]:
    return [
        f"*{one.name}: DataNode" if one.several else f"{one.name}: DataNode{' | None = None' if one.optional else ''}"
        for one in operator.inputs
    ]


def _called_with(operator: Operator, arguments: list[str]) -> list[str]:
    """Inputs and arguments; behind any number of inputs all of these are given by name."""
    several = bool(operator.inputs) and operator.inputs[-1].several
    return [*_inputs(operator), *(one for one in arguments if not (several and one == "*"))]


def _returned(operator: Operator) -> str:
    if _flag(operator) is not None or _count(operator) is not None:
        return "Any"
    if operator.keyed:
        return "dict[str, DataNode]"
    return "DataNode" if operator.outputs is None else "list[DataNode]"


def _flag(operator: Operator) -> str | None:
    """The flag of an operator that returns a node without it, and a list with it; None: it has none."""
    return next((param.name for param in operator.params if param.name == "save_attrs"), None)


def _count(operator: Operator) -> int | None:
    """The usual number of outputs, of an operator that returns a list for another one; None: it has no such argument."""
    return next((param.default for param in operator.params if param.name == "num_outputs"), None)


def _signature(name: str, arguments: list[str], returned: str, indent: str = "") -> str:
    lines = "".join(f"{indent}    {argument},\n" for argument in arguments)
    return f"{indent}def {name}(\n{lines}{indent}) -> {returned}:"


def _function(operator: Operator, name: str = "") -> str:
    name = name or operator.name.rpartition(".")[2]
    arguments = _called_with(operator, _arguments(operator))
    doc = textwrap.indent(f'"""{describe(operator)}\n"""', "    ") + "\n    ...\n"
    if (flag := _flag(operator)) is not None:
        given = [f"{flag}: Literal[True]" if one.startswith(flag) else one for one in arguments]
        usual = [f"{flag}: Literal[False] = False" if one.startswith(flag) else one for one in arguments]
        first = f"@overload\n{_signature(name, given, 'list[DataNode]')} ...\n"
        return f"{first}@overload\n{_signature(name, usual, 'DataNode')}\n{doc}"
    if not any(param.name == "num_outputs" and param.default is None for param in operator.params):
        return f"{_signature(name, arguments, _returned(operator))}\n{doc}"
    parts = []
    for wanted, returned in (("num_outputs: None = None", "DataNode"), ("num_outputs: int", "list[DataNode]")):
        chosen = [wanted if one.startswith("num_outputs") else one for one in arguments]
        if wanted.endswith("int"):  # given by name, it may follow what has a default
            chosen = [one for one in chosen if one not in (wanted, "*")]
            chosen[1:1] = ["*", wanted]
        # The last one has the text for all of them.
        parts.append(f"@overload\n{_signature(name, chosen, returned)} ...\n")
    positional = [one.replace(" = ...", "") if one.startswith("source") else one for one in arguments]
    positional = ["num_outputs: int" if one.startswith("num_outputs") else one for one in positional]
    parts.append(f"@overload\n{_signature(name, positional, 'list[DataNode]')}\n{doc}")
    return "".join(parts)


def _class(operator: Operator, function: str = "") -> str:
    name = class_name(function or operator.name.rpartition(".")[2])
    returned = "Any" if any(param.name == "num_outputs" for param in operator.params) else _returned(operator)
    doc = f'    """See `jaxdali.fn.{function or operator.name}`."""'
    made = "    def __init__(self, *given: Any, **arguments: Any) -> None: ..."
    called = f"    def __call__(self, *inputs: Any, **arguments: Any) -> {returned}: ..."
    return f"class {name}:\n{doc}\n{made}\n{called}\n"


def _math() -> str:
    parts = ["from typing import Any\n\nfrom .pipeline import DataNode\n"]
    for name, (operands, doc) in FUNCTIONS.items():
        taken = ", ".join(f"{one}: DataNode" if len(operands) == 1 else f"{one}: Any" for one in operands)
        text = textwrap.indent(textwrap.fill(doc, 110), "    ").strip()
        close = "\n    " if "\n" in text else ""
        parts.append(f'def {name}({taken}) -> DataNode:\n    """{text}{close}"""\n    ...\n')
    return "\n".join(parts)


def _names() -> str:
    parts = [
        "# Names\n\nEvery public name of NVIDIA DALI 2.4.0, by its module: whether jaxdali has it. Written by "
        "`docs/generate.py`; a test beside DALI compares the names with its modules. What a module does not have is an "
        "AttributeError that says what to do instead. Old names, which DALI deprecates, warn.\n"
    ]
    counts = {"Here": 0, "To come": 0, "Instead": 0}
    sections = []
    for room, names in NAMES.items():
        found: dict[str, list[str]] = {kind: [] for kind in counts}
        for name in names.split():
            kind = "Here" if is_here(room, name) else "Instead" if hint_for(room, name) else "To come"
            found[kind].append(f"`{name}`: {hint_for(room, name)}" if kind == "Instead" else f"`{name}`")
            counts[kind] += 1
        display_name = ".".join(filter(None, ("jaxdali", room)))
        section = [f"\n## {display_name}\n"]
        for kind in ("Here", "To come"):
            if found[kind]:
                listed = f"{kind}: {', '.join(found[kind])}."
                section.append(textwrap.fill(listed, 120, break_long_words=False, break_on_hyphens=False) + "\n")
        if found["Instead"]:
            section.append("Instead of what is not here:\n\n" + "".join(f"- {line}.\n" for line in found["Instead"]))
        sections.append("\n".join(section))
    total = sum(counts.values())
    summary = (
        f"Of {total} names {counts['Here']} are here, {counts['To come']} are to come, and of {counts['Instead']} "
    )
    parts.append(f"\n{summary}it is said what to do instead.\n")
    return "".join([*parts, *sections])


def is_here(room: str, name: str) -> bool:
    """Whether jaxdali has a name of DALI's."""
    thing: object = jaxdali
    for part in filter(None, room.split(".")):
        thing = getattr(thing, part, None)
    return hasattr(thing, name)


def main() -> None:
    for path, text in stubs().items():
        (ROOT / path).write_text(text)


if __name__ == "__main__":
    main()
