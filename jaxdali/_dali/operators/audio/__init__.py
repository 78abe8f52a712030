"""Operators on signals and their spectra."""
