"""Samples: where they are, how workers write them into slots, how slots are read. Nothing here imports jax."""
