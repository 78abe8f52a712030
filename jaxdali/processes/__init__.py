"""Worker processes: how they start, what they are told, and what becomes of them. They fill slots by way of `ring`, and
read no sample themselves. Nothing here imports jax."""
