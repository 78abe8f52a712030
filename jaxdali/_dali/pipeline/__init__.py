"""Pipelines: a function defines a graph, which is run batch by batch. Importing this loads no jax."""
