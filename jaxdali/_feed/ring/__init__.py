"""Slots of shared memory: batches are requested, filled, and read in place. No process starts here, and jax is not
imported.
"""
