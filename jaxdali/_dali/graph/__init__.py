"""Graphs of operators as data: calls, their nodes, and how both are found, named, saved and compared. No jax."""
