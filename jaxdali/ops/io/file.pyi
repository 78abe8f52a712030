from typing import Any

from ...pipeline import DataNode

class Read:
    """See `jaxdali.fn.io.file.read`."""
    def __init__(self, *given: Any, **arguments: Any) -> None: ...
    def __call__(self, *inputs: Any, **arguments: Any) -> DataNode: ...
