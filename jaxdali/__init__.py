"""The input pipeline that lives inside XLA.

`Pipeline` speaks DALI: a graph of `jaxdali.fn` operators, run batch by batch. `Loader` speaks JAX: batches of a map-style
source through a pure function of your own, with `jaxdali.image` and `jaxdali.random` in it.
"""

import sys
from typing import Any

import lazy_loader

from jaxdali._base.missing import ModulesOfDali, explain_missing
from jaxdali._device.ffi import build_check, queues

build_check.check_built()
if not build_check.has_lock():
    # Turns the lock on, unless that is forbidden: the compiled modules do not declare that they work without it.
    from jaxdali._feed import _host  # noqa: F401

    build_check.check_lock()

# Names are imported when first used, so that worker processes, which need none of them, never load jax. __init__.pyi
# lists the names; type checkers read them there.
_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

queues.ask()
sys.meta_path.append(ModulesOfDali)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version(__name__)
    if name not in __all__:
        return explain_missing(__name__, __all__)(name)
    return _load(name)
