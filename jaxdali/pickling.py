"""How sources travel to fresh worker processes: by value.

Functions and classes of `__main__` and of notebooks, lambdas, closures and local classes need nothing: they are pickled
by value with cloudpickle. Those of an importable module travel as a reference to it; `pickle_by_value` changes that
for one of them, so that workers need not import its module.
"""

from jaxdali._base.pickling import pickle_by_value as pickle_by_value

__all__ = ["pickle_by_value"]


def __dir__() -> list[str]:
    return __all__
