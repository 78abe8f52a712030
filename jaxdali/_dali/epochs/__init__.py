"""Cuts endless streams into epochs."""
