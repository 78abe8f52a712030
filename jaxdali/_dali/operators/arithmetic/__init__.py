"""Arithmetic between nodes."""
