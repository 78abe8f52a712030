"""Worker processes: how they start, what they are told, and what happens when they die. They fill slots through `ring`
and read no samples themselves. Nothing here imports jax.
"""
