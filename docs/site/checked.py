"""Whether a site that was built holds together: its links, what errors point at, where public names stand, and that it loads
nothing from elsewhere.
"""

from __future__ import annotations

import os.path
import pathlib
import re
from collections.abc import Iterator
from urllib.parse import unquote

import code_links
import public_api

__all__ = ["faults"]

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What a browser loads with a page, as opposed to what a reader may click on.
_LOADED = re.compile(
    r"""<(?:script|img|source|iframe)\b[^>]*\bsrc="(https?:)?//|<link\b[^>]*rel="(?:stylesheet|preconnect)"[^>]*//"""
)
_ANCHOR = re.compile(r'\s(?:id|name)="?([^"\s>]+)')
_LINK = re.compile(r'\s(?:href|src)="([^"]*)"')
_TOLD = re.compile(r"""page_url\(\s*["']([^"']*)["'](?:,\s*["']([^"']*)["'])?""")


def faults(site: pathlib.Path) -> Iterator[str]:
    """Yields what is wrong with a built site, a sentence each.

    Args:
        site: its folder.
    """
    pages = {path.relative_to(site).as_posix(): path.read_text() for path in site.rglob("*.html")}
    anchors = {page: {*_ANCHOR.findall(text)} for page, text in pages.items()}

    def leads_somewhere(uri: str) -> bool:
        path, _, anchor = unquote(uri).partition("#")
        page = os.path.normpath(f"{path}index.html") if path.endswith("/") or not path else path
        return anchor in anchors[page] or not anchor if page in pages else (site / path).is_file()

    for page, text in pages.items():
        if _LOADED.search(text):
            yield f"{page} loads something from another host"
        if page == "404.html":
            continue  # its addresses begin with the site's
        for target in {*_LINK.findall(text)}:
            if target and not re.match(r"[a-z]+:|//|\?", target):
                folder = os.path.dirname(page)
                uri = page + target if target.startswith("#") else f"{folder}/{target}" if folder else target
                slash = "/" if target.partition("#")[0].endswith(("/", "..", ".")) else ""
                path, mark, anchor = uri.partition("#")
                if os.path.normpath(path).startswith(".."):
                    continue  # another version of the site
                if not leads_somewhere(f"{os.path.normpath(path)}{slash}{mark}{anchor}".removeprefix("./")):
                    yield f"{page} links to {target}, which is nowhere"
    bundle = "".join(path.read_text() for path in site.glob("assets/javascripts/bundle.*.js"))
    if bundle and "next({type:2,data:" not in bundle:
        yield "the theme asks its search in another way than assets/search.js knows"
    for name, _ in public_api.public_objects():
        if (uri := code_links.uri_of(name)) is None or not leads_somewhere(uri):
            yield f"{name} stands on no page: {uri}"
    for path in (ROOT / "jaxdali").rglob("*.py"):
        for page, section in _TOLD.findall(path.read_text()):
            if not leads_somewhere(f"{page}/{'#' if section else ''}{section}"):
                yield f"{path.relative_to(ROOT)} tells of {page}#{section}, which is nowhere"
