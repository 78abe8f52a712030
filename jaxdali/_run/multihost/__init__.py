"""Global arrays of several devices, and what several processes agree on."""
