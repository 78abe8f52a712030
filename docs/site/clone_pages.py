"""Pages of files outside of docs/, and links of pages to them."""

from __future__ import annotations

import ast
import os.path
import pathlib
import re

__all__ = ["pages", "with_links_of_the_site"]

ROOT = pathlib.Path(__file__).resolve().parents[2]
# By its place in the site: a file of the clone.
_OF_THE_CLONE = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md", "security.md": "SECURITY.md"}
_LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s:]+)(#[^)\s]*)?\)")


def pages() -> dict[str, str]:
    """Returns the changelog and its like, and a page an example, by path in the site."""
    found = {page: (ROOT / path).read_text() for page, path in _OF_THE_CLONE.items()}
    examples = sorted((ROOT / "examples").glob("*.py"))
    return (
        found
        | {f"examples/{path.stem}.md": _example(path) for path in examples}
        | {"examples/index.md": _list(examples)}
    )


def _first_sentence(path: pathlib.Path) -> str:
    return (ast.get_docstring(ast.parse(path.read_text())) or path.stem).split("\n\n")[0].replace("\n", " ")


def _list(examples: list[pathlib.Path]) -> str:
    rows = "".join(f"- [{path.name}]({path.stem}.md): {_first_sentence(path)}\n" for path in examples)
    return f"# Examples\n\nPrograms of the folder `examples/`, which the tests run.\n\n{rows}"


def _example(path: pathlib.Path) -> str:
    return f"# {path.name}\n\n{_first_sentence(path)}\n\n```python\n{path.read_text()}```\n"


def with_links_of_the_site(markdown: str, page: str) -> str:
    """Returns a page whose links to other files of the clone lead to pages of the site; what has none there is named only.

    Args:
        markdown: the page.
        page: its path in the site, "design/ring.md".
    """
    clone_path = _OF_THE_CLONE.get(page, f"docs/{page}")

    def replaced(link: re.Match) -> str:
        text, target, anchor = link[1], link[2], link[3] or ""
        path = os.path.normpath(os.path.join(os.path.dirname(clone_path), target))
        there = next((new for new, old in _OF_THE_CLONE.items() if old == path), path.removeprefix("docs/"))
        if path.startswith("examples/") and path.endswith(".py"):
            there = f"{path.removesuffix('.py')}.md"
        elif there == path:
            return text if text.startswith("`") else f"`{text}`"
        return f"[{text}]({os.path.relpath(there, os.path.dirname(page) or '.')}{anchor})"

    # What stands between fences is code.
    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else _LINK.sub(replaced, part) for part in parts)
