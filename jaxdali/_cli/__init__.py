"""The command line: `jaxdali doctor`, `bench`, `view` and `index`, each in its own file.

A command's file imports what it needs only when it runs: `jaxdali --help` loads neither jax nor NumPy.
"""
