"""jaxdali: the input pipeline that lives inside XLA. The names are listed in `__init__.pyi`.

Names are imported when first used, so that worker processes, which need none of them, never load jax.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
