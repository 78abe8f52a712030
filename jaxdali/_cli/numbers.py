"""Parses numbers of the command line, and formats numbers."""

from __future__ import annotations

import argparse
from collections.abc import Callable

__all__ = ["bytes_text", "count_from", "seconds", "table"]

_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


def count_from(smallest: int) -> Callable[[str], int]:
    """Returns a parser for integers of at least `smallest`."""

    def integer(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not an integer") from None
        if number < smallest:
            raise argparse.ArgumentTypeError(f"{text} is too small; at least {smallest}")
        return number

    return integer


def seconds(text: str) -> float:
    """Parses a positive number of seconds."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number of seconds")
    return number


def bytes_text(size: int | None) -> str:
    """Returns a size in the largest binary unit that it reaches; "unlimited" for None."""
    if size is None:
        return "unlimited"
    amount, unit = float(size), 0
    while amount >= 1024 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1024, unit + 1
    return f"{amount:.1f} {_UNITS[unit]}" if unit and amount % 1 else f"{amount:.0f} {_UNITS[unit]}"


def table(rows: list[tuple[str, str]], indent: str = "") -> str:
    """Returns lines of a name and a value, with the values aligned."""
    width = max((len(name) for name, _ in rows), default=0)
    return "".join(f"{indent}{name:<{width}}  {value}".rstrip() + "\n" for name, value in rows)
