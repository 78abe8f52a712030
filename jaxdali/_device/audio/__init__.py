"""Pure functions on signals and their spectra, for anyone's jit."""
