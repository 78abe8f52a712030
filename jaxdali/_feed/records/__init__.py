"""File formats that hold many samples: where each sample is, and what is in it. Nothing here knows about pipelines."""
