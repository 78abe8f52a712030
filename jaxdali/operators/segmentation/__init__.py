"""Operators on masks."""
