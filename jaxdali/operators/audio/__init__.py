"""The operators on signals and their spectra."""
