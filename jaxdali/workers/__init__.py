"""Worker processes, the ring they write into, and how both begin and end. Nothing here imports jax."""
