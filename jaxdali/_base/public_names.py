"""The names by which users import what lies behind the doors."""

from __future__ import annotations

__all__ = ["public_name"]

# Where the classes of a module, or of those below it, can be imported. What stands first is looked at first.
_DOORS = {
    "jaxdali._base.batch": "jaxdali.image",
    "jaxdali._base": "jaxdali.types",
    "jaxdali._feed.source": "jaxdali.source",
    "jaxdali._feed.records": "jaxdali.tfrecord",
    "jaxdali._device.image": "jaxdali.image",
    "jaxdali._dali.auto_aug": "jaxdali.auto_aug.core",
    "jaxdali._dali.epochs": "jaxdali.plugin.jax",
    "jaxdali._dali.iterators.peekable": "jaxdali.plugin.jax.clu",
    "jaxdali._dali.iterators": "jaxdali.plugin.jax",
    "jaxdali._dali.operators": "jaxdali.ops",
    "jaxdali._dali.tensors": "jaxdali.tensors",
    "jaxdali._dali": "jaxdali.pipeline",
    "jaxdali._loader": "jaxdali",
}


def public_name(kind: type) -> str:
    """Returns the name of a class for messages: `jaxdali.source.Arrays`, `numpy.ndarray`, and without a module what is
    Python's own or of the user's program.
    """
    module = kind.__module__
    door = next((door for wing, door in _DOORS.items() if f"{module}.".startswith(f"{wing}.")), module)
    return kind.__qualname__ if door in ("builtins", "__main__") else f"{door}.{kind.__qualname__}"
