"""What mkdocs calls while it builds the site: pages that are written, and links that leave the documentation."""

from __future__ import annotations

import logging
import pathlib
import sys
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

# tests/support lists the public names, docs has the generator, and this folder the other parts.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/support"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import api_pages
import checked
import clone_pages
import code_links
import generate
import numbers_of_pages
from gallery.assets import assets


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that nobody wrote by hand, and the pictures on them."""
    written = {**generate.pages(), **api_pages.pages(), **clone_pages.pages(), **assets()}
    for path, content in written.items():
        files.append(File.generated(config, path, content=content))
    return files


# How much a page counts in the search, by the beginning of its path: who asks for an operator wants its page first, and who
# asks for a word wants to use it rather than read how it is built. Who pastes an error gives many words that are everywhere.
_COUNTS = {
    "troubleshooting": 2,
    "questions": 2,
    "operators/fn.": 3,
    "gallery/": 2,
    "api/": 1.5,
    "adding/": 0.5,
    "benchmarks/": 0.5,
    "changelog": 0.5,
    "design/": 0.5,
}


@event_priority(-100)  # after the plugin that reads .nav.yml, which puts `auto_aug.core.md` before `auto_aug.md`
def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> None:
    """Puts a module before those that are in it."""
    (api,) = (one for one in nav.items if isinstance(one, Section) and one.title == "API")
    # The index, jaxdali itself, and what has a page to itself.
    first = 2 + len(api_pages.ALONE)
    rest = sorted(api.children[first:], key=lambda one: one.file.src_uri.removesuffix(".md"))
    api.children = [*api.children[:first], *rest]


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Points links to files of the clone at pages of the site, and says how much a page counts in the search."""
    boost = next((count for start, count in _COUNTS.items() if page.file.src_uri.startswith(start)), 1)
    page.meta.setdefault("search", {}).setdefault("boost", boost)
    return clone_pages.with_links_of_the_site(markdown, page.file.src_uri)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links the names of the API."""
    return code_links.with_code_linked(html, page.url)


@event_priority(100)  # before mkdocstrings writes it
def on_env(env: Any, config: MkDocsConfig, files: Files) -> None:
    """Has objects.inv list every public name, also what has no docstring of its own there: operators and constants."""
    inventory = config.plugins["mkdocstrings"].handlers.inventory
    for name in api_pages.addresses():
        if name not in inventory:
            inventory.register(name=name, domain="py", role="obj", uri=code_links.uri_of(name))


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Draws the plots of benchmarks."""
    return numbers_of_pages.with_numbers(output, page.markdown or "")


def on_post_build(config: MkDocsConfig) -> None:
    """Checks what was built. A warning fails a strict build."""
    for fault in checked.faults(pathlib.Path(config.site_dir)):
        logging.getLogger("mkdocs.hooks.checked").warning(fault)
