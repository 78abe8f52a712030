"""Tells the user's functions, classes and modules from those of Python, of this package and of other libraries."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
import types

__all__ = [
    "PACKAGE",
    "is_foreign_file",
    "is_installed",
    "is_own",
    "is_users_class",
    "is_users_code",
    "is_users_module",
    "package_of",
]

_OWN = __name__.partition(".")[0]
PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
_PYTHON = tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib")})
_PACKAGES = tuple({sysconfig.get_path(name) + os.sep for name in ("purelib", "platlib")})
# Packages whose functions do not branch on nodes.
_OTHERS = {
    *("jax", "jaxlib", "flax", "optax", "orbax", "equinox", "numpy", "scipy", "pandas", "PIL", "cv2", "skimage"),
    *("torch", "torchvision", "tensorflow", "nvidia", "pytest", "_pytest", "IPython", "tqdm", "yaml", "hydra", "absl"),
}


def package_of(value: object) -> str:
    """Returns the package in which a function or class was written; empty if it does not say."""
    module = getattr(value, "__module__", None)
    return module.partition(".")[0] if isinstance(module, str) else ""


def is_foreign_file(function: types.FunctionType) -> bool:
    """Whether a function was written in Python's library, in this package or in a library that knows no nodes."""
    file = function.__code__.co_filename
    if file.startswith(("<frozen", PACKAGE)) or (file.startswith(_PYTHON) and not file.startswith(_PACKAGES)):
        return True
    return package_of(function) in _OTHERS


def is_own(kind: type) -> bool:
    """Whether a class is this package's."""
    return package_of(kind) == _OWN


def is_users_class(kind: type) -> bool:
    """Whether a class was written by the user: not in Python's library, in this package or in an installed one."""
    return _is_users(getattr(kind, "__module__", None) or "")


def is_users_module(module: types.ModuleType) -> bool:
    """The same of a module."""
    return _is_users(getattr(module, "__name__", None) or "")


def is_users_code(function: types.FunctionType) -> bool:
    """The same of a function."""
    return not function.__code__.co_filename.startswith(_PACKAGES)


def is_installed(kind: type) -> bool:
    """Whether a class is of an installed library of which this package knows nothing."""
    module = getattr(kind, "__module__", None) or ""
    return not _is_users(module) and not _is_known(module)


@functools.lru_cache(maxsize=1024)
def _is_users(module: str) -> bool:
    file = getattr(sys.modules.get(module), "__file__", None)
    return not _is_known(module) and not (isinstance(file, str) and file.startswith(_PACKAGES))


def _is_known(module: str) -> bool:
    package = module.partition(".")[0]
    if package in _OTHERS or package == _OWN:
        return True
    if package not in sys.stdlib_module_names or package == "__main__":
        return False
    file = getattr(sys.modules.get(module), "__file__", None)  # the user's may have the same name
    return not isinstance(file, str) or (file.startswith(_PYTHON) and not file.startswith(_PACKAGES))
