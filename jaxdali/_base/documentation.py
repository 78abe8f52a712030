"""Where the documentation is. An installed package has no pages, so errors give their addresses."""

from __future__ import annotations

__all__ = ["page_url"]

# `project.urls` in pyproject.toml has it, too.
_SITE = "https://jaxdali.github.io/jaxdali/stable/"


def page_url(page: str, section: str = "") -> str:
    """Returns the address of a page of the documentation.

    Args:
        page: the name of its file, without the ending.
        section: one of its headings as an anchor: "files-in-buckets".
    """
    return f"{_SITE}{page}/{'#' if section else ''}{section}"
