"""The error for a program that decodes but is compiled for a platform without the custom call, such as a TPU."""

from __future__ import annotations

from typing import Any

import jax
from jax.interpreters import mlir

from jaxdali._base.aliases import Device
from jaxdali.errors import ConfigError
from .compat import primitive

__all__ = ["has_calls", "refuse_elsewhere"]

_PLATFORMS = ("cpu", "cuda")
_refused = primitive("jaxdali_refused_elsewhere")


def has_calls(device: Device) -> bool:
    """Whether files can be decoded on a `jax.Device`."""
    return device.platform in ("cpu", "gpu")


def refuse_elsewhere(operand: jax.Array, who: str) -> jax.Array:
    """Returns the operand. Lowering a program with it for a platform other than CPU or CUDA raises a ConfigError.

    Args:
        who: the decoding function to name.
    """
    return _refused.bind(operand, who=who)


@_refused.def_abstract_eval
def _same(operand: object, *, who: str) -> Any:
    return operand


def _refuse(context: Any, operand: object, *, who: str) -> Any:
    platforms = ", ".join(name for name in context.module_context.platforms if name not in _PLATFORMS)
    raise ConfigError(
        f"jaxdali.image.{who} decodes on CPUs and NVIDIA GPUs, and cannot be compiled for {platforms}: decode in a "
        "Loader's augment, which then runs on the CPU and moves its results to the devices; or in a jit of your own "
        'under jax.default_device(jax.local_devices(backend="cpu")[0])'
    )


def _pass_on(context: Any, operand: object, *, who: str) -> Any:
    return [operand]


mlir.register_lowering(_refused, _refuse)
for _platform in _PLATFORMS:
    mlir.register_lowering(_refused, _pass_on, platform=_platform)
