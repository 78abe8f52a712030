"""The only contact with compiled XLA code. Importing this imports neither that code nor jax.

`load` finds and registers the custom calls, `calls` binds them, `compat` knows versions of jax.
"""
