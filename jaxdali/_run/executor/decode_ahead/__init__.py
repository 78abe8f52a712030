"""Decode engines on GPUs: they decode the images of later steps before the device function runs."""
