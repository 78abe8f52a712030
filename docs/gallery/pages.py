"""The pages: a table of operators, a page each, and galleries of functions of arrays. Knows nothing of mkdocs."""

from __future__ import annotations

import functools
import importlib
import inspect
import os.path
import pathlib
import re
import textwrap
from collections.abc import Mapping

from jaxdali._base.documentation import page_url
from jaxdali._dali.graph.declarations import operators
from jaxdali._dali.operators.classes import class_name
from jaxdali._dali.operators.declaration import REQUIRED, Operator
from jaxdali._dali.operators.old import old_arguments
from jaxdali._dali.operators.operator_functions import shown, signature_of, summary
from .assets import picture_names
from .example import Example, Group
from .files import files
from .groups import GALLERIES, OPERATORS, examples_of
from .programs import program

__all__ = ["operator_page", "pages", "readable"]

_DIFFERENCES = pathlib.Path(__file__).resolve().parents[1] / "differences.md"
_GALLERY_TEXTS = {
    "image": "What the functions of [`jaxdali.image`](../api/image.md) do.",
    "augment": "What the functions of [`jaxdali.augment`](../api/augment.md) do, "
    "and those of `jaxdali.random` that mix or cut images.",
    "auto_aug": "What the augmentations and policies of [`jaxdali.auto_aug`](../api/auto_aug.md) do in a pipeline. "
    "In a Loader there are [those of `jaxdali.augment`](augment.md).",
}


def pages(measured: Mapping[str, str]) -> dict[str, str]:
    """Returns the pages by path in the site.

    Args:
        measured: for each operator, a sentence on its distance from DALI's results and its costs.
    """
    found = {"operators/index.md": _index(), "operators/.nav.yml": _nav()}
    for group in OPERATORS:
        for name, examples in examples_of(group).items():
            found[f"operators/{name}.md"] = operator_page(group, _operator(name), examples, measured)
    return found | {f"gallery/{door}.md": _gallery(door, groups) for door, groups in GALLERIES.items()}


def operator_page(
    group: Group,
    operator: Operator,
    examples: list[Example],
    measured: Mapping[str, str],
) -> str:
    """Returns the page of an operator."""
    name = operator.name
    place = f"{name.rpartition('.')[0]}.".lstrip(".") + class_name(name.rpartition(".")[2])
    devices = " or ".join(f"`{device}`" for device in operator.devices)
    parts = [
        f"# fn.{name}\n\n{summary(operator)}{_marked_up(_rest(operator))}\n\n"
        f"Of [{group.title.lower()}](index.md#{_slug(group.title)}). Class: `jaxdali.ops.{place}`. Devices: {devices}.\n"
    ]
    parts += [_example(example, f"operators/{name}.md", "##") for example in examples]
    call = textwrap.wrap(
        f"fn.{name}{readable(str(signature_of(operator)))}",
        88,
        subsequent_indent="    ",
    )
    parts.append("\n## Signature\n\n```python\n" + "\n".join(call) + "\n```\n")
    parts.append(_arguments(operator))
    if operator.returns:
        parts.append(f"\n## Returns\n\n{_marked_up(operator.returns)}\n")
    raised = {"ConfigError": "an argument cannot be honoured", **operator.raises}
    parts.append("\n## Raises\n\n" + "".join(f"- `{kind}`: {text.rstrip('.')}.\n" for kind, text in raised.items()))
    parts.append(_beside_dali(operator, measured.get(name, "")))
    return "".join(parts)


def readable(signature: str) -> str:
    """Without the numbers of enumerations: `<DALIDataType.FLOAT: 9>` is `types.FLOAT`."""
    return re.sub(r"<DALI\w+\.(\w+): -?\d+>", r"types.\1", signature.replace("jaxdali.types.", ""))


def _operator(name: str) -> Operator:
    operator = operators()[name.removeprefix("fn.")]
    assert isinstance(operator, Operator)
    return operator


def _rest(operator: Operator) -> str:
    """What the documentation says after the first sentence."""
    text = inspect.cleandoc(operator.doc)
    return text[re.search(r"[.](?=\s|$)", text).end() :] if "." in text else ""  # type: ignore[union-attr]


def _index() -> str:
    parts = [
        "# Operators\n\nEach is a function of `jaxdali.fn` and a class of `jaxdali.ops`, with DALI's name, arguments and "
        "results. A page each has an example that runs, and what it does to a picture. What they look like in a Loader, or "
        "in any `jit`, is in the galleries of [`jaxdali.image`](../gallery/image.md) and "
        "[`jaxdali.augment`](../gallery/augment.md); that of [automatic augmentation](../gallery/auto_aug.md) is for "
        "pipelines. [Measured](measured.md) has all operators beside DALI's.\n\n"
        "An input is a node, or a number, an array or a list of numbers, which is a constant. A list of nodes stands for "
        "several sets of inputs: `fn.flip([a, b])` returns a list of two nodes, and what is drawn is drawn once for both.\n"
    ]
    for group in OPERATORS:
        # The anchors are those that the one page of all operators had.
        rows = [
            f"| [{name}]({name}.md){{ #{_slug(name)} }} | {_cell(summary(_operator(name)))} |\n" for name in group.names
        ]
        parts.append(f"\n## {group.title}\n\n| operator | |\n|---|---|\n{''.join(rows)}")
    parts.append(
        "\n## Arguments of all operators\n\n"
        "| argument | default | |\n|---|---|---|\n"
        '| `device` | where the first input is | where it runs: `"cpu"`, `"gpu"` or `"mixed"`, as its page says |\n'
        "| `name` | drawn up | unique in its pipeline |\n"
        "| `preserve` | `False` | compute it even if no output depends on it |\n"
        "| `bytes_per_sample_hint` | `None` | of readers, sources and decoders: how large samples are at most; others know "
        "it |\n\n"
        "Arguments of DALI's that change no result are accepted, and pages say why they have no effect. Of arguments that "
        "are honoured with one value only, any other value is refused, and the error names the alternative. Arguments and "
        "names that DALI deprecates are accepted with a DeprecationWarning ([names](../names.md)).\n"
    )
    return "".join(parts)


def _nav() -> str:
    """The pages of operators in the order of the table, for mkdocs-awesome-nav."""
    groups = [f"  - {group.title}:\n" + "".join(f"      - {name}.md\n" for name in group.names) for group in OPERATORS]
    return f"nav:\n  - index.md\n{''.join(groups)}  - measured.md\n"


def _gallery(door: str, groups: list[Group]) -> str:
    parts = [
        f"# jaxdali.{door}\n\n{_GALLERY_TEXTS[door]} The pictures are drawn by these programs when the site is built.\n"
    ]
    for group in groups:
        parts.append(f"\n## {group.title}\n")
        for name, examples in examples_of(group).items():
            heading = name.rpartition(".")[2] if door == "auto_aug" else name
            parts.append(f"\n### {heading}\n\n{_summary_of(name)}\n")
            parts += [_example(example, f"gallery/{door}.md", "") for example in examples]
    return "".join(parts)


def _summary_of(name: str) -> str:
    """What a function of a door does, in a sentence, and a link to what else is said of it."""
    *path, last = name.split(".")
    thing = getattr(functools.reduce(getattr, path, importlib.import_module("jaxdali")), last)
    if "augmentations" in path:
        return ""
    text = " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split()).rstrip(":")
    return f"`jaxdali.{name}`: {_marked_up(text)}"


def _example(example: Example, page: str, heading: str) -> str:
    """An example: what it shows, its pictures, and its program, which is folded where there is no heading."""
    text = program(example)
    quoted = text.replace("'", '"') + ('"lake.jpg" "town.jpg"' if "objects.json" in text else "")
    read = [name for name in files() if "/" not in name and f'"{name}"' in quoted]
    folder = os.path.relpath("operators/files", os.path.dirname(page))
    links = ", ".join(f"[{name}]({folder}/{name})" for name in read)
    drawn_sizes = any("(*" in text or "*," in text for text in example.gives)
    notes = [f"It reads {links}."] * bool(read) + ["Where `*` stands, it depends on draws or files."] * drawn_sizes
    note = f"\n{' '.join(notes)}\n" if notes else ""
    title = f"\n{heading} {_title(example)}\n" if heading else ""
    names = picture_names()
    drawn = ""
    if example in names:
        before, after = (os.path.relpath(name, os.path.dirname(page)) for name in names[example])
        drawn = f"\n| before | after |\n|---|---|\n| ![before]({before}) | ![{example.name}]({after}) |\n"
    code = f"```python\n{text}```\n"
    if not heading:
        code = f'??? example "Program"\n\n{textwrap.indent(code + note, "    ")}'
        return f"\n{example.text}\n{drawn}\n{code}\n"
    return f"{title}\n{example.text}\n{drawn}\n{code}{note}"


def _title(example: Example) -> str:
    """What stands above an example: `rotate_with_mask` is "With mask"."""
    _, with_, what = example.function.__name__.partition("_with_")
    return f"With {what.replace('_', ' ')}" if with_ else "Example"


def _arguments(operator: Operator) -> str:
    rows = []
    for one in operator.inputs:
        kind = "nodes" if one.several else "node"
        default = "`None`" if one.optional else "required"
        rows.append(f"| `{one.name}` | {kind} | {default} | {_cell(one.doc)}. |\n")
    for param in shown(operator):
        default = "required" if param.default is REQUIRED else f"`{readable(repr(param.default))}`"
        also = " *May be a node with one value per sample.*" if param.per_sample or param.chosen else ""
        text = _cell(param.doc.rstrip("."))
        rows.append(f"| `{param.name}` | `{param.kind.annotation}` | {default} | {text}.{also} |\n")
    parts = ["\n## Arguments\n\n"]
    if rows:
        parts.append(f"| argument | type | default | meaning |\n|---|---|---|---|\n{''.join(rows)}\n")
    parts.append("`device`, `name`, `preserve`: [as of all operators](index.md#arguments-of-all-operators).\n")
    refused = {name: f"`{only.value!r}` only: {only.alternative}" for name, only in operator.refused.items()}
    for title, several in (
        ("Honoured with one value only", refused),
        ("Without effect", operator.accepted),
        ("Deprecated", old_arguments(operator)),
    ):
        lines = [f"    - `{name}`: {_marked_up(text.rstrip('.'))}.\n" for name, text in several.items()]
        if lines:
            parts.append(f'\n??? note "{title}"\n\n{"".join(lines)}')
    return "".join(parts)


def _beside_dali(operator: Operator, measured: str) -> str:
    rows = [row for row in _differences() if re.search(rf"`fn\.{re.escape(operator.name)}\b(?!\.)", row)]
    text = "".join(f"- {_marked_up(_moved(row))}\n" for row in rows)
    if not text and not measured:
        return ""
    more = "[What differs from DALI](../differences.md) has what all operators have in common."
    return f"\n## Beside DALI\n\n{text}\n{measured} {more}\n"


@functools.cache
def _differences() -> list[str]:
    """The rows of docs/differences.md, each as one line."""
    bullets = re.findall(r"^- (.*?)(?=^- |^\n|\Z)", _DIFFERENCES.read_text(), re.MULTILINE | re.DOTALL)
    return [" ".join(bullet.split()) for bullet in bullets]


def _moved(text: str) -> str:
    """Text of a page of docs/ on one that is a folder further down."""
    return re.sub(r"\]\((?!http|#)", "](../", text)


def _slug(heading: str) -> str:
    """The anchor of a heading, as the site makes it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _cell(text: str) -> str:
    """Text in a cell of a table."""
    return _marked_up(" ".join(text.split())).replace("|", "\\|")


def _marked_up(text: str) -> str:
    """Text of a docstring, whose addresses of the site become links. The site links names of the API by itself."""
    site = re.escape(page_url("").rstrip("/"))
    return re.sub(rf"{site}/([\w-]+)/#([\w-]+)", r"[\1](../\1.md#\2)", text)
