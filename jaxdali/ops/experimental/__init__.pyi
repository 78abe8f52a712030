from typing import Any

from ...pipeline import DataNode
from .. import AudioResample as AudioResample
from .. import Debayer as Debayer
from .. import Equalize as Equalize
from .. import Filter as Filter
from .. import PeekImageShape as PeekImageShape
from .. import TensorResize as TensorResize
from . import decoders as decoders
from . import inputs as inputs
from . import readers as readers

class Dilate:
    """See `jaxdali.fn.experimental.dilate`."""
    def __init__(self, *given: Any, **arguments: Any) -> None: ...
    def __call__(self, *inputs: Any, **arguments: Any) -> DataNode: ...

class Erode:
    """See `jaxdali.fn.experimental.erode`."""
    def __init__(self, *given: Any, **arguments: Any) -> None: ...
    def __call__(self, *inputs: Any, **arguments: Any) -> DataNode: ...

class MedianBlur:
    """See `jaxdali.fn.experimental.median_blur`."""
    def __init__(self, *given: Any, **arguments: Any) -> None: ...
    def __call__(self, *inputs: Any, **arguments: Any) -> DataNode: ...

class Remap:
    """See `jaxdali.fn.experimental.remap`."""
    def __init__(self, *given: Any, **arguments: Any) -> None: ...
    def __call__(self, *inputs: Any, **arguments: Any) -> DataNode: ...

class WarpPerspective:
    """See `jaxdali.fn.experimental.warp_perspective`."""
    def __init__(self, *given: Any, **arguments: Any) -> None: ...
    def __call__(self, *inputs: Any, **arguments: Any) -> DataNode: ...
