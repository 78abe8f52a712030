"""Two uses of every operator of `fn` as users write them, measured by `catalogue.py`."""

from __future__ import annotations

from catalogue_audio import AUDIO
from catalogue_case import Case
from catalogue_detection import DETECTION
from catalogue_gpu_only import GPU_ONLY
from catalogue_images import IMAGES
from catalogue_numbers import NUMBERS
from catalogue_tensors import TENSORS

__all__ = ["CASES", "LEFT_OUT", "cases_on", "reason_of"]

CASES: dict[str, list[Case]] = {**AUDIO, **DETECTION, **IMAGES, **NUMBERS, **TENSORS}

# Operators that are not measured, or whole modules of them, each with the reason.
LEFT_OUT = {
    "power_spectrum": "DALI's process ends with a fault where signals are much longer than nfft, as those measured here are",
    "external_source": "computes nothing: `benchmarks/external_source.py` measures what it transports",
    **dict.fromkeys(GPU_ONLY, "DALI has it on GPUs only"),
    **dict.fromkeys(("decoders.numpy", "io.file.read"), "is Python on the host, between two programs of the device"),
    "python_function": "takes what its Python function takes",
    **dict.fromkeys(
        ("decoders.video", "experimental.inputs.video", "experimental.readers.video"),
        "reads videos: `benchmarks/videos.py` measures that",
    ),
    "readers": "reads files: `benchmarks/operators.py` measures it in whole pipelines",
}


def reason_of(name: str) -> str | None:
    """Why an operator is not measured; None if it is."""
    return LEFT_OUT.get(name) or LEFT_OUT.get(name.partition(".")[0])


def cases_on(device: str) -> dict[str, list[Case]]:
    """The operators to measure on a CPU ("cpu") or on a GPU (any other name)."""
    return CASES if device == "cpu" else {**CASES, **GPU_ONLY}
