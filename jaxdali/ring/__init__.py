"""Slots of shared memory: batches are asked for, filled, and read where they are. No process starts here, and jax is not
imported."""
