"""Asks what the video engines of a GPU decode, without beginning to use CUDA in a process that may still fork workers."""

from __future__ import annotations

import functools
import json
import logging
import os
import sys
from typing import Any

from jaxdali._base.patience import Patience
from jaxdali._device.ffi import video_caps
from jaxdali._device.ffi.compat import backends_are_initialized, local_gpus
from jaxdali._device.ffi.driver import cuda_is_initialized
from jaxdali._device.ffi.plugin import plugin_major
from jaxdali._feed.records.packed_video import Offered
from jaxdali._feed.records.video_scan import started
from jaxdali.errors import BackendUnavailable

__all__ = ["gpu_ordinal", "offered_by"]

logger = logging.getLogger("jaxdali")


def gpu_ordinal(device_id: int | None, chosen: Any = None) -> int | None:
    """Returns CUDA's number of the GPU that a pipeline will use; None if it will use none, as far as is known.

    Args:
        device_id: the pipeline's.
        chosen: the `jax.Device` that it uses instead; None: none was chosen.
    """
    if chosen is not None:
        return chosen.local_hardware_id if chosen.platform == "gpu" else None
    if device_id is None or plugin_major() is None:
        return None
    if backends_are_initialized():
        gpus = local_gpus()
        return gpus[device_id].local_hardware_id if device_id < len(gpus) else None
    jax: Any = sys.modules.get("jax")
    platforms = os.environ.get("JAX_PLATFORMS", "") if jax is None else jax.config.jax_platforms
    return device_id if not platforms or {"gpu", "cuda"} & set(platforms.split(",")) else None


def offered_by(ordinal: int) -> Offered:
    """Returns what the video engines of a GPU decode; nothing if there are none.

    Args:
        ordinal: the number that CUDA gives the GPU.
    """
    try:
        if backends_are_initialized() or cuda_is_initialized():
            return video_caps.caps_of(ordinal)
        found = _asked_aside(ordinal)
        if "missing" in found:
            raise BackendUnavailable(found["missing"])
        return {codec: tuple(limits) for codec, limits in found["offered"]}
    except BackendUnavailable as error:
        logger.info("FFmpeg decodes videos, and not the GPU: %s", error)
        return {}


@functools.lru_cache(maxsize=64)
def _asked_aside(ordinal: int) -> dict[str, Any]:
    """Returns what another process says: see `video_caps.main`."""
    if not sys.executable:
        return {"missing": "this process does not use CUDA yet, and cannot start another one to ask the GPU"}
    patience = Patience(lambda: "the process that asks what the GPU's video engines decode")
    with started(video_caps.__name__) as (child, requests, answers), patience.beside():
        with requests:
            requests.write(json.dumps(ordinal).encode())
        said = answers.read()
        code = child.wait()
    if code or not said:
        return {"missing": f"the process that asks what its video engines decode ended with {code}"}
    return json.loads(said)
