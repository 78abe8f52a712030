"""Operators that produce data: external sources and readers."""
