"""Where a pipeline's device function runs. This file loads jax; it is imported when a pipeline is built."""

from __future__ import annotations

import logging
from typing import Any

import jax

from ..errors import ConfigError
from ..executor.device_stage import DeviceStage
from .options import PipelineOptions
from .plan import Plan
from .program import GraphProgram

__all__ = ["make_device_stage"]

logger = logging.getLogger("jaxdali")
_said = False


def make_device_stage(plan: Plan, options: PipelineOptions, seed: int) -> tuple[GraphProgram, DeviceStage]:
    """The program of a plan and the stage that runs it.

    Raises:
        ConfigError: there is no device with the pipeline's `device_id`.
    """
    devices = jax.local_devices(backend="cpu")
    index = options.device_id or 0
    if not 0 <= index < len(devices):
        raise ConfigError(
            f"device_id={options.device_id}: this process has {len(devices)} CPU device(s); use 0 to {len(devices) - 1}, or "
            "None"
        )
    _say_once(plan)
    columns = [column for feed in plan.feeds for column in feed.columns]
    program = GraphProgram(plan, columns, seed, options.num_threads or 0)
    return program, DeviceStage(program, devices[index], options.max_canvas_bytes)


def _say_once(plan: Plan) -> None:
    global _said
    placed = sorted({op.device for op in plan.operators if op.device != "cpu"})
    if placed and not _said:
        _said = True
        logger.warning('operators with device="%s" run on the CPU', '" or "'.join(placed))
