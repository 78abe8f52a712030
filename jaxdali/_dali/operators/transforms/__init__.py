"""Affine maps, a matrix per sample."""
