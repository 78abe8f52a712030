"""Names of parametrized cases that are the same in every process, because processes that share a run compare them."""

import re


def plain(value: object) -> str:
    """`str(value)` without addresses, for `ids=`."""
    return re.sub(r" at 0x[0-9a-f]+", "", str(value))
