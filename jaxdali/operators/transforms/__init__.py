"""Affine maps, a matrix a sample."""
