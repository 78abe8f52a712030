"""The operators behind `if`, `and`, `or` and `not` of nodes."""
