from typing import Any

from ...pipeline import DataNode

class Video:
    """See `jaxdali.fn.experimental.readers.video`."""
    def __init__(self, *given: Any, **arguments: Any) -> None: ...
    def __call__(self, *inputs: Any, **arguments: Any) -> list[DataNode]: ...
