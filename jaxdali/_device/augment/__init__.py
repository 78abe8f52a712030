"""Automatic and random augmentation of batches of images, for use in any jit: pure functions of images and one key per
sample.
"""
