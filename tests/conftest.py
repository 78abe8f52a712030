"""Eight CPU devices for the whole suite. Must be said before jax is imported."""

import os

_DEVICES = "--xla_force_host_platform_device_count=8"

if _DEVICES not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {_DEVICES}".strip()
