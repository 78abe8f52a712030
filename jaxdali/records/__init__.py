"""Formats of files that hold many samples: where each one lies, and what is in it. Nothing here knows pipelines."""
