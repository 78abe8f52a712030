"""Makes untrusted text, such as file names, safe for a terminal."""

from __future__ import annotations

import logging

__all__ = ["Formatter", "lines_shown", "shown"]


def shown(text: str) -> str:
    """Returns the text with escapes in place of characters that move a terminal's cursor, set its title or reverse its
    direction, and of bytes that are not UTF-8.
    """
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def lines_shown(text: str) -> str:
    """Does the same for a text of several lines."""
    return "\n".join(shown(line) for line in text.split("\n"))


class Formatter(logging.Formatter):
    """Formats log records with `lines_shown`."""

    def format(self, record: logging.LogRecord) -> str:
        return lines_shown(super().format(record))
