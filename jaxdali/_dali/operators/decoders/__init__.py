"""Operators that take files."""
