"""What mkdocs calls while it builds the site: pages that are written, and links that leave the documentation."""

from __future__ import annotations

import pathlib
import sys

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

# tests/support lists the public names, docs has the generator, and this folder the other parts.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/support"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import api_pages
import clone_pages
import generate


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that nobody wrote by hand."""
    written = {path.relative_to("docs").as_posix(): text for path, text in generate.pages().items()}
    for path, text in {**written, **api_pages.pages(), **clone_pages.pages()}.items():
        # `docs/generate.py` writes some of them beside the others, too.
        if (there := files.get_file_from_path(path)) is not None:
            files.remove(there)
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Points links to files of the clone at pages of the site."""
    return clone_pages.with_links_of_the_site(markdown, page.file.src_uri)
