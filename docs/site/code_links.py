"""Names of the API that stand as code in a text become links to where they are described."""

from __future__ import annotations

import os.path
import re

import api_pages

__all__ = ["uri_of", "with_code_linked"]

# What is a link or a heading already, or a program, stays as it is.
_PARTS = re.compile(r"<(a|h[1-6]|pre|svg|summary)\b.*?</\1>|<code>(?P<code>[^<]*)</code>", re.DOTALL)
_NAME = re.compile(r"(?:jaxdali|fn|ops)(?:\.\w+)+")


def uri_of(name: str) -> str | None:
    """Returns the address of a public name in the site, "api/image/#jaxdali.image.resize"; None: it has none."""
    known = api_pages.addresses().get(name)
    if known is None:
        return None
    page, anchor = known
    return f"{page.removesuffix('index.md').removesuffix('.md').rstrip('/')}/{'#' if anchor else ''}{anchor}"


def with_code_linked(content: str, page_url: str) -> str:
    """Returns a page's content in which `jaxdali.image.resize` and `fn.resize(...)` are links.

    Args:
        content: HTML.
        page_url: the page's address in the site, "api/image/".
    """

    def replaced(part: re.Match) -> str:
        name = _NAME.match(part["code"] or "")
        if name is None:
            return part[0]
        full = name[0] if name[0].startswith("jaxdali.") else f"jaxdali.{name[0]}"
        uri = uri_of(full)
        if uri in (None, page_url):
            return part[0]
        return f'<a href="{_relative(uri, page_url)}">{part[0]}</a>'

    return _PARTS.sub(replaced, content)


def _relative(uri: str, page_url: str) -> str:
    there, mark, anchor = uri.partition("#")
    way = "" if there == page_url and anchor else f"{os.path.relpath(there, page_url or '.')}/"
    return f"{way}{mark}{anchor}"
