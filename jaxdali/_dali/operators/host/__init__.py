"""Operators that are computed on the host, between two programs of the device."""
