"""Engines of GPUs decode images of later steps, before the device function has its turn."""
