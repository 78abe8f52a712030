from collections.abc import Sequence
from typing import Any, Literal

from jaxdali._dali.graph.call import DataNode

class Video:
    """Sequences of frames of videos that are fed, one file after the other; DALI's `fn.experimental.inputs.video`.

    Arguments as of `jaxdali.fn.experimental.inputs.video`, each here or in the call.
    """
    def __init__(
        self,
        *,
        sequence_length: int = ...,
        last_sequence_policy: Literal["partial", "pad"] = ...,
        blocking: bool = ...,
        bytes_per_sample_hint: int | Sequence[int] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        **dali: Any,
    ) -> None: ...
    def __call__(
        self,
        *,
        sequence_length: int = ...,
        last_sequence_policy: Literal["partial", "pad"] = ...,
        blocking: bool = ...,
        bytes_per_sample_hint: int | Sequence[int] | None = ...,
        device: str | None = None,
        name: str | None = None,
        preserve: bool = False,
        **dali: Any,
    ) -> DataNode: ...
