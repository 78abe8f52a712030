"""Checks what the pages on running programs say against the sources: environment variables and texts of errors."""

from __future__ import annotations

import ast
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator

import house_rules
import pytest
from import_graph import parsed

DOCS = house_rules.ROOT / "docs"
PAGES = [
    *(DOCS / "operations").glob("*.md"),
    *(DOCS / "performance").glob("*.md"),
    DOCS / "troubleshooting.md",
    DOCS / "questions.md",
]

# What must be true after the programs of a page, by the page and the number of the program.
PROGRAMS = {
    "docs/operations/kills.md": ["assert (len(first), len(rest)) == (4, 6) and first + rest == whole\n"],
    "docs/operations/upgrading.md": [
        "assert len({*before.values()}) == 3 and state['step'] == 15\n",
        "assert loader.step == 16\n",
    ],
    "docs/performance/workers_prefetch_batch.md": ["assert 'for sources: set workers=' in advice_with(workers=1)\n"],
}


def modules() -> Iterator[tuple[pathlib.Path, ast.Module]]:
    for path in sorted((house_rules.ROOT / "jaxdali").rglob("*.py")):
        yield path, parsed(path.read_text())


def native_sources() -> Iterator[pathlib.Path]:
    for path in sorted((house_rules.ROOT / "ffi").rglob("*.*")):
        if path.suffix in (".cc", ".h", ".cu") and "tests" not in path.parts:
            yield path


VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+_?|NETRC")


def variables_of(tree: ast.Module) -> set[str]:
    """The variables that a module asks for: its strings, and names of arguments, that look like some."""
    if not any(isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv") for node in ast.walk(tree)):
        return set()
    strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    keywords = {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg}
    own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}  # which __all__ lists
    return {name for name in strings | keywords if VARIABLE.fullmatch(name)} - own


def named_on_the_page() -> set[str]:
    page = (DOCS / "operations/environment_variables.md").read_text()
    own = page[page.index("## Read by jaxdali") : page.index("## Of JAX and XLA")]
    cells = [line.split("|")[1] for line in own.splitlines() if line.startswith("| `")]
    return {*re.findall(r"`([^`]+)`", " ".join(cells))}


def test_every_environment_variable_stands_on_its_page():
    found = {name for _, tree in modules() for name in variables_of(tree)}
    native = {name for path in native_sources() for name in re.findall(r'getenv\(\s*"(\w+)"', path.read_text())}
    assert named_on_the_page() == found | native
    assert variables_of(parsed("import os\nos.environ['A_B']\nos.environ.update(C_D='')\n'E_F'")) == {
        "A_B",
        "C_D",
        "E_F",
    }


def test_variables_for_building_and_testing_stand_there_too():
    page = (DOCS / "operations/environment_variables.md").read_text()
    build = (house_rules.ROOT / "CMakeLists.txt").read_text()
    tests = (house_rules.ROOT / "tests/conftest.py").read_text()
    wanted = {*re.findall(r"set\((JAXDALI_\w+) \w+ CACHE", build), *re.findall(r'environ\S*"(JAXDALI_\w+)"', tests)}
    assert {"JAXDALI_CUDA", "JAXDALI_REQUIRE_GPU"} <= wanted
    assert {name for name in wanted if name not in page} == set()


def templates() -> list[list[str]]:
    """What the package may say: the fixed parts of each of its texts, in their order."""
    found = []
    for _, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                parts = [str(part.value) if isinstance(part, ast.Constant) else "\0" for part in node.values]
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                parts = [re.sub(r"%(?:[-+.\d]*[a-z])", "\0", node.value)]
            else:
                continue
            found.append("".join(parts).split("\0"))
    for path in native_sources():
        # Texts that are put together of several strings, or of one and numbers.
        for statement in re.findall(r'(?:"(?:[^"\\\n]|\\.)*"[^;"]*)+;', path.read_text()):
            found.append(re.findall(r'"((?:[^"\\\n]|\\.)*)"', statement))
    return found


def is_said(quoted: str, known: list[list[str]]) -> bool:
    """Whether the parts of a quoted text, between the places where it differs, stand in one of the package's in order."""
    parts = [part.strip() for part in quoted.split("…") if part.strip()]
    assert sum(map(len, parts)) > 12, f"too little is quoted: {quoted}"
    return any(all(part in rest for part in parts) and in_order(parts, rest) for rest in map("\0".join, known))


def in_order(parts: list[str], text: str) -> bool:
    at = 0
    for part in parts:
        if (at := text.find(part, at)) < 0:
            return False
        at += len(part)
    return True


def test_quoted_errors_are_those_of_the_package():
    page = (DOCS / "troubleshooting.md").read_text()
    quoted = re.findall(r"^### `(.+)`$", page, re.MULTILINE)
    known = templates()
    assert len(quoted) >= 25 and len({*quoted}) == len(quoted)
    assert [text for text in quoted if not is_said(text, known)] == []
    assert not is_said("a worker process died of … boredom", known)


def test_the_programs_of_the_pages_run(tmp_path):
    """In one interpreter: none needs what another one has defined, and to start one takes longer than they do."""
    written = []
    for page, checks in PROGRAMS.items():
        blocks = re.findall(r"```python\n(.*?)```", (house_rules.ROOT / page).read_text(), re.DOTALL)
        written += [block + check for block, check in zip(blocks, checks, strict=True)]
    program = tmp_path / "programs.py"
    program.write_text("\n".join(written))
    command = [sys.executable, "-W", "error", str(program)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_pages_are_short(page):
    assert len(page.read_text().splitlines()) <= 250


def test_pictures_of_traces_are_those_that_their_program_draws():
    program = parsed((DOCS / "performance/traces.py").read_text())
    cases = next(
        node for node in ast.walk(program) if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "CASES"
    )
    assert isinstance(cases.value, ast.Dict)
    names = [ast.literal_eval(key) for key in cases.value.keys if key is not None]
    shown = re.findall(r"\]\((\w+)\.svg\)", (DOCS / "performance/idle_accelerator.md").read_text())
    assert shown == names and len(names) == 4
    titles = [ast.literal_eval(case.elts[0]) for case in cases.value.values if isinstance(case, ast.Tuple)]
    for name, title in zip(names, titles, strict=True):
        assert f"<title>{title}</title>" in (DOCS / f"performance/{name}.svg").read_text()
