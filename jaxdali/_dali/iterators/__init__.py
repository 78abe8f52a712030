"""Iterators that give dictionaries of `jax.Array`; DALI's `plugin.jax`. Importing this loads no jax."""
