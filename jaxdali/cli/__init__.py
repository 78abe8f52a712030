"""The command line: `jaxdali doctor`, `bench`, `view` and `index`. One file a command.

A command's file imports what it works with when it runs: `jaxdali --help` loads neither jax nor NumPy.
"""
