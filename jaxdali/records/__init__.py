"""Formats of files that hold many samples: where each one is, and what is in it. Nothing here knows pipelines."""
