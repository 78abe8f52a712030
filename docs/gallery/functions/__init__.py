"""Examples of functions of arrays, and of automatic augmentation, a file for each gallery."""
