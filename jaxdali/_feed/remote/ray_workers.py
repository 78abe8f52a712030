"""What a user says about workers on a Ray cluster."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
from collections.abc import Mapping
from typing import Any

from jaxdali.errors import ConfigError, ConfigTypeError, check_integer

__all__ = ["Ray"]

# A courier copies what so many actors make; above that, one more courier shares the work.
_ACTORS_OF_ONE = 32


@dataclasses.dataclass(frozen=True)
class Ray:
    """Workers that are actors of a Ray cluster, on any of its machines: `pip install "jaxdali[ray]"` on all of them.

    Pass it in place of a number of workers, as `workers=` of a `Loader` or `py_num_workers=` of a pipeline. Samples, their
    order, errors and states are those of as many local workers, and a state that was saved with the one resumes with the
    other. This process does not load Ray. Its local workers, the couriers, do: they claim pieces of batches, have actors
    make them, and copy the results into shared memory. An actor or a machine that dies is replaced, and its pieces are made
    again.

    Args:
        num_workers: the number of actors.
        address: of the cluster, as `host:port`. "auto": the one that this machine belongs to. Addresses of Ray Client,
            `ray://...`, are refused: all data would go through one process there. This machine has to be a node of the
            cluster (`ray start --address=...`).
        couriers: local processes that drive the actors; None: one for every 32 actors.
        in_flight: pieces of batches that each actor has at a time. This bounds the memory of both sides: an actor begins a
            piece only if there is room for it in a batch on this machine.
        batches_ahead: batches that actors make beyond those that the program has asked for. The more there are, the larger
            are the pieces that keep all actors busy, up to whole batches: a piece costs this machine a millisecond or two,
            however large it is. Each takes the memory of a batch here.
        num_cpus, resources, memory: what Ray reserves for each actor, as in `ray.remote`: CPUs (a number that may be a
            fraction), named resources, bytes of memory.
        runtime_env: the environment of actors, as in `ray.init`: `{"pip": [...], "env_vars": {...}}`. Environment variables
            and credentials of this process do not reach actors unless they are named here.

    Raises:
        ConfigError: an argument cannot be honoured, or Ray is not installed.
        ConfigTypeError: an argument is of a wrong type.

    Example:
        >>> import jaxdali.remote
        >>> workers = jaxdali.remote.Ray(64, address="10.0.0.1:6379", num_cpus=0.5)  # doctest: +SKIP
        >>> loader = jaxdali.Loader(data, augment, batch_size=256, workers=workers)  # doctest: +SKIP
    """

    num_workers: int
    address: str = "auto"
    couriers: int | None = None
    in_flight: int = 2
    batches_ahead: int = 4
    num_cpus: float = 1
    resources: Mapping[str, float] | None = None
    memory: int | None = None
    runtime_env: Mapping[str, Any] | None = dataclasses.field(default=None, repr=False)  # may hold credentials

    def __post_init__(self) -> None:
        workers = check_integer("num_workers", self.num_workers, 1, (1 << 15) - 1)
        most = -(-workers // _ACTORS_OF_ONE) if self.couriers is None else self.couriers
        object.__setattr__(self, "num_workers", workers)
        object.__setattr__(self, "couriers", check_integer("couriers", most, 1, workers))
        object.__setattr__(self, "in_flight", check_integer("in_flight", self.in_flight, 1, 64))
        object.__setattr__(self, "batches_ahead", check_integer("batches_ahead", self.batches_ahead, 1, 4096))
        if self.memory is not None:
            object.__setattr__(self, "memory", check_integer("memory", self.memory, 1))
        _check_address(self.address)
        for name, value in {"num_cpus": self.num_cpus, **(self.resources or {})}.items():
            if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
                raise ConfigTypeError(f"{name} must be a number, at least 0, got {value!r:.80}")
        for name, value in (("resources", self.resources), ("runtime_env", self.runtime_env)):
            try:
                json.dumps(None if value is None else dict(value))
            except (TypeError, ValueError) as error:
                raise ConfigTypeError(
                    f"{name} must be a dict of what JSON has (texts, numbers, lists, dicts): {error}"
                ) from None
        if importlib.util.find_spec("ray") is None:
            raise ConfigError(
                'workers on a Ray cluster need Ray: pip install "jaxdali[ray]", on all machines of the cluster'
            )


def _check_address(address: object) -> None:
    if not isinstance(address, str):
        raise ConfigTypeError(f"address must be a text such as '10.0.0.1:6379' or 'auto', got {address!r:.80}")
    if "://" in address:
        raise ConfigError(
            f"address={address!r} is one of Ray Client, through which every sample would be pickled, sent to one process of "
            "the cluster and back: have this machine join the cluster (ray start --address=HOST:6379) and pass that "
            "address, or 'auto'"
        )
    if address in ("", "local"):
        raise ConfigError(
            f"address={address!r} would start a cluster of this machine alone, where local workers do the same for less: "
            "pass workers=8, or the address of a cluster that runs"
        )
    host, _, port = address.rpartition(":")
    if address != "auto" and not (host and port.isdecimal()):
        raise ConfigError(f"address={address!r} is neither 'auto' nor a host and a port, such as '10.0.0.1:6379'")
