"""Workers on other machines."""

from jaxdali._feed.remote.ray_workers import Ray as Ray

__all__ = ["Ray"]


def __dir__() -> list[str]:
    return __all__
