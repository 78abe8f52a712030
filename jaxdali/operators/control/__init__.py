"""What `if`, `and`, `or` and `not` of nodes are made of."""
