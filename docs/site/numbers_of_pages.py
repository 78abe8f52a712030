"""Plots and long tables of the pages of benchmarks, from their own tables and from data/.

A page says `<!-- plot NAME -->`, which docs/benchmarks/plots.toml describes, and `<!-- numbers FILE -->`. Both are put into
the finished page, so that the search finds words and not numbers.
"""

from __future__ import annotations

import csv
import functools
import html
import pathlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

import plots

__all__ = ["with_numbers"]

_FOLDER = pathlib.Path(__file__).resolve().parents[1] / "benchmarks"
_MARK = re.compile(r"<!-- (plot|numbers) (\S+) -->")
Rows = list[dict[str, str]]


def with_numbers(output: str, markdown: str) -> str:
    """Returns a finished page with its plots and tables.

    Args:
        output: the page as HTML, in which comments mark their places.
        markdown: what it was made of, whose tables plots may show.
    """
    return _MARK.sub(lambda mark: _plot(mark[2], markdown) if mark[1] == "plot" else _table(mark[2]), output)


@functools.cache
def _described() -> Mapping[str, Any]:
    return tomllib.loads((_FOLDER / "plots.toml").read_text())


def rows_of_file(name: str) -> Rows:
    with (_FOLDER / "data" / name).open(newline="") as file:
        return list(csv.DictReader(file))


def tables_of(markdown: str) -> list[Rows]:
    """Returns the tables of a page, as rows by the names of their columns."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", f"{markdown}\n", re.MULTILINE):
        head, _, *rows = [[cell.strip() for cell in line.strip()[1:-1].split("|")] for line in block.splitlines()]
        found.append([dict(zip(head, row, strict=True)) for row in rows])
    return found


def number(text: str) -> float | None:
    """Returns the first number of a cell, "1.44M samples/s" or "**101.8k** (100.3 to 103.5)"; None: it has none."""
    found = re.match(r"\D*?([\d.,]+)\s*([kM]?)\b", text)
    scales = {"": 1.0, "k": 1e3, "M": 1e6}
    return float(found[1].replace(",", "")) * scales[found[2]] if found else None


def _bars(plot: Mapping[str, Any], rows: Rows) -> tuple[list[str], dict[str, list[float | None]]]:
    """The labels of a plot's rows, and for each of its series a number a row."""
    labels = [re.sub(r"[*`]", "", ", ".join(row[one] for one in plot["label"])) for row in rows]
    if "ratio" in plot:
        only = plot.get("only")
        kept = [(label, row) for label, row in zip(labels, rows, strict=True) if only in (None, row.get("system"))]
        return [label.removesuffix(", jaxdali") for label, _ in kept], {
            "": [number(row[plot["ratio"]]) for _, row in kept]
        }
    if "bars" in plot:
        return labels, {name: [number(row[column]) for row in rows] for name, column in plot["bars"].items()}
    found: dict[str, dict[str, float | None]] = {}
    for label, row in zip(labels, rows, strict=True):
        found.setdefault(row[plot["series"]], {})[label] = number(row[plot["value"]])
    shown: Sequence[str] = plot.get("rows") or list(dict.fromkeys(labels))
    assert {*shown} <= {*labels}, f"plots.toml names rows that {sorted({*labels})} lack"
    return list(shown), {name: [values.get(label) for label in shown] for name, values in found.items()}


def _plot(name: str, markdown: str) -> str:
    plot = _described()[name]
    rows = rows_of_file(plot["data"]) if "data" in plot else tables_of(markdown)[plot["table"]]
    labels, series = _bars(plot, rows)
    picture = (
        plots.ratios(labels, series[""], plot["axis"])
        if "ratio" in plot
        else plots.bars(labels, series, plot["axis"], log=plot.get("log", False))
    )
    return f'<figure class="plot" role="img" aria-label="{html.escape(plot["axis"])}">{picture}</figure>'


def _table(name: str) -> str:
    rows = rows_of_file(name)

    def line(cells: Sequence[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"

    body = "".join(line(list(row.values()), "td") for row in rows)
    head = f"<thead>{line(list(rows[0]), 'th')}</thead>"
    download = f'<a href="../data/{name}" download>{name}</a>'
    return (
        f'<details class="numbers"><summary>All {len(rows)} rows</summary>{download}'
        '<div class="md-typeset__scrollwrap"><div class="md-typeset__table">'
        f"<table>{head}<tbody>{body}</tbody></table></div></div></details>"
    )
