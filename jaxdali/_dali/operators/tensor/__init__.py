"""Operators on arrays of any kind."""
