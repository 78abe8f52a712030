"""Branches on nodes: `if`, `and`, `or` and `not` in functions that draw graphs, sample by sample.

A function is transformed, from its source: what asks whether something is true asks here. Of Python's own values the answer
is Python's; of nodes both branches are drawn, and what they leave is selected.
"""

from .functions import converted as converted
from .functions import converted_here as converted_here
from .functions import do_not_convert as do_not_convert

__all__ = ["converted", "converted_here", "do_not_convert"]
