"""Pure functions on boxes and points of images, for anyone's jit."""
