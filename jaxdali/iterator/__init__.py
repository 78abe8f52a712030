"""Epochs of streams that have none, and global arrays from what several devices computed."""
