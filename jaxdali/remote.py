"""Workers on other machines."""

from jaxdali._feed.remote.ray_workers import Ray as Ray

__all__ = ["Ray"]
