from collections.abc import Sequence
from typing import Any

from ...pipeline import DataNode

def read(
    filepaths: DataNode,
    *,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Reads files whose names are data; DALI's `fn.io.file.read`.

    Names are read when the batch is computed, one file after the other, on the thread that takes batches. Where all names
    are known beforehand `fn.readers.file(files=)` has workers read them. Decoders of images take what is read.

    Args:
        filepaths: file names, each its UTF-8 bytes as `uint8[n]`.
        device: where it runs: "cpu". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        dont_use_mmap: without effect: files are read, and never mapped.
        use_o_direct: without effect: files are read by way of the system's cache.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        OSError: a file cannot be read, or is not a regular file; when the batch is handed out.
        SourceDataError: a name is not of bytes; likewise.
    """
    ...
