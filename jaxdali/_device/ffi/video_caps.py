"""What the video engines of a GPU decode. `main` tells another process, which must not begin to use CUDA yet."""

from __future__ import annotations

import json
import sys

from jaxdali.errors import BackendUnavailable
from .cuda import cuda_module

__all__ = ["caps_of", "main"]


def caps_of(ordinal: int) -> dict[int, tuple[int, int, int, int, int]]:
    """Returns for each codec's number the least height and width, the largest ones, and the most blocks of 16 x 16 pixels
    in a frame. From then on this process uses CUDA.

    Args:
        ordinal: which GPU, as CUDA numbers those that this process sees.

    Raises:
        BackendUnavailable: there is no such GPU, or nothing to ask it with; says why.
    """
    module = cuda_module()
    try:
        return dict(module.video_caps(ordinal))
    except RuntimeError as error:
        raise BackendUnavailable(str(error)) from None


def main() -> None:
    """Reads the number of a GPU, and writes what `caps_of` returns, or why it does not."""
    with open(int(sys.argv[2]), "rb") as requests:
        ordinal = json.loads(requests.read())
    try:
        said: dict[str, object] = {"offered": [*caps_of(ordinal).items()]}
    except BackendUnavailable as error:
        said = {"missing": str(error)}
    with open(int(sys.argv[3]), "wb") as answers:
        answers.write(json.dumps(said).encode())
