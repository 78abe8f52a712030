"""Turns columns of a batch into arrays on devices: their shape, their device, and whether they are copied."""
