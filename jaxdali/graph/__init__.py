"""Graphs of operators as data: calls, the nodes between them, how they are found, named, saved and told apart. No jax."""
