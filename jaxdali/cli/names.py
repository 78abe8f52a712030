"""Texts from elsewhere, such as names of files, as a terminal may be shown them."""

from __future__ import annotations

import logging

__all__ = ["Formatter", "lines_shown", "shown"]


def shown(text: str) -> str:
    """The text with escapes in place of what moves a terminal's cursor, sets its title or turns its letters round, and of
    bytes that are not UTF-8.
    """
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def lines_shown(text: str) -> str:
    """The same of a text of several lines."""
    return "\n".join(shown(line) for line in text.split("\n"))


class Formatter(logging.Formatter):
    """Log records, shown so."""

    def format(self, record: logging.LogRecord) -> str:
        return lines_shown(super().format(record))
