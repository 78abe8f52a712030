"""Operators of automatic augmentation, which change each image in its own way."""
