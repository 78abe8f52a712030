"""Operators on boxes and points in images."""
