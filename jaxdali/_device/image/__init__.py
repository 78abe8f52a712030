"""Pure functions on batches of images, for anyone's jit."""
