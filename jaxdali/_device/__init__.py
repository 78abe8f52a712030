"""Pure functions of arrays for any jit, and the custom calls that they make. Nothing here knows a slot or a process."""
