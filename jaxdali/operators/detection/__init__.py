"""Operators on boxes and points of images."""
