"""The place where DALI's programs find the decorator with debug mode; here it is the usual one."""

from jaxdali._dali.pipeline.pipeline_decorator import pipeline_def as pipeline_def

__all__ = ["pipeline_def"]


def __dir__() -> list[str]:
    return __all__
