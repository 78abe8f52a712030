"""Cuts endless streams into epochs, and assembles global arrays from what several devices computed."""
