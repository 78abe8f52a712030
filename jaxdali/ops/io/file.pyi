from collections.abc import Sequence
from typing import Any

from jaxdali._dali.graph.call import DataNode

class Read:
    """Reads files whose names are data; DALI's `fn.io.file.read`.

    Arguments as of `jaxdali.fn.io.file.read`, each here or in the call.
    """
    def __init__(
        self,
        *,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        filepaths: DataNode,
        *,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        bytes_per_sample_hint: int | Sequence[int] | None = None,
        **dali: Any,
    ) -> DataNode: ...
