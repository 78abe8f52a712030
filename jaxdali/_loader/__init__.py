"""`Loader`: the interface for users who write their own device function. Importing this loads no jax."""

from .loader import Loader as Loader

__all__ = ["Loader"]
