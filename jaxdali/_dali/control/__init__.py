"""Branches on nodes: `if`, `and`, `or` and `not` in functions that define graphs, sample by sample.

A function's source is transformed so that every test of truth asks this package. For Python's own values the answer is
Python's. For nodes, both branches add their calls to the graph, and what they leave is selected per sample.
"""

from .function_conversion import convert as convert
from .function_conversion import convert_here as convert_here
from .function_conversion import do_not_convert as do_not_convert

__all__ = ["convert", "convert_here", "do_not_convert"]
