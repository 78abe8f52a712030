"""Operators that draw."""
