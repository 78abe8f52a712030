"""Makes tests run as on a machine with four CPUs. Loads jax, so sources of workers are in other files."""

from __future__ import annotations

import jax
import pytest

from jaxdali._base import cpus
from jaxdali._loader import default_workers
from jaxdali._run.executor import statistics


def pretend_four_cpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes pipelines and Loaders start as many processes as on a machine with four CPUs."""
    jax.devices()  # so that workers are not forked
    for module in (cpus, statistics, default_workers):
        monkeypatch.setattr(module, "usable_cpus", lambda: 4)
