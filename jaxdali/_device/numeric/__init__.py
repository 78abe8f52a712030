"""Pure functions on batches of arrays of any rank, for anyone's jit."""
